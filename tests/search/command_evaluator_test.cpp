// Functions evaluated by real commands.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "actforge/expr/export/export.h"
#include "tests/base/process.h"
#include "tests/search/evaluator_helpers.h"

namespace actforge {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class CommandEvaluatorTest : public testing::Test {
 protected:
  // A script that is given the function, and may use $FOLDER.
  std::unique_ptr<Evaluator> script(const std::string& text, const std::string& arguments = "{expr}") {
    const std::filesystem::path path = folder.path() / "script.sh";
    std::ofstream(path) << "FOLDER='" << folder.path().string() << "'\n" << text << "\n";
    return command("sh " + path.string() + " " + arguments);
  }
  std::unique_ptr<Evaluator> command(const std::string& text) {
    settings.evaluator = "command";
    settings.evaluate["command"] = text;
    return make_evaluator(settings);
  }

  TrialOutcome outcome_of(const std::string& text) { return script(text)->evaluate(question("relu(x)")); }
  std::string error_of(const std::string& text) {
    return message_of([&] { outcome_of(text); });
  }
  std::string refusal_of(const std::string& text) {
    return message_of([&] { command(text); });
  }

  ScratchFolder folder;
  StudySettings settings;
};

TEST_F(CommandEvaluatorTest, ReadsTheAnswer) {
  const TrialOutcome outcome = outcome_of(R"(echo '{"accuracy": 0.93, "note": "good"}')");
  EXPECT_EQ(outcome.status, TrialStatus::kCompleted);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.93});
  EXPECT_EQ(outcome.metrics, R"({"accuracy":0.93,"note":"good"})");
}

TEST_F(CommandEvaluatorTest, TheLastAnswerCountsAmongOtherLines) {
  EXPECT_EQ(
      outcome_of("echo loading; echo '{\"accuracy\": 0.1}'; echo '[1]'; echo 3; echo; echo '{\"accuracy\": 0.2}'; "
                 "echo '{broken'; echo done")
          .scores,
      std::vector<double>{0.2});
  EXPECT_EQ(outcome_of("printf '{\"score\": 1}'").scores, std::vector<double>{1});
}

TEST_F(CommandEvaluatorTest, LessIsBetterForLossAndCost) {
  settings.objective = "loss,accuracy,cost";
  EXPECT_EQ(outcome_of(R"(echo '{"cost": 5, "accuracy": 0.5, "loss": 2}')").scores, (std::vector<double>{-2, 0.5, -5}));
  EXPECT_EQ(outcome_of(R"(echo '{"cost": 5, "accuracy": 0.5, "score": 2}')").scores[0], -2);
  // The cost is measured where the command does not know it.
  const TrialOutcome measured = outcome_of(R"(echo '{"accuracy": 0.5, "loss": 2}')");
  ASSERT_EQ(measured.scores.size(), 3u);
  EXPECT_LT(measured.scores[2], 0);
  EXPECT_EQ(error_of(R"(echo '{"loss": 2}')"), R"(code 1: the command's answer has no "accuracy": {"loss":2})");
}

TEST_F(CommandEvaluatorTest, ReportsEpochsInOrder) {
  const auto evaluator = script(
      "for i in 1 2 3 4 5; do echo \"{\\\"epoch\\\": $i, \\\"accuracy\\\": 0.$i}\"; done\n"
      "echo '{\"epoch\": \"six\", \"accuracy\": 0.6}'; echo '{\"epoch\": 7, \"accuracy\": null}'\n"
      "echo '{\"accuracy\": 0.75}'");
  EvaluationRequest request = question("relu(x)");
  std::vector<std::int64_t> epochs;
  std::vector<double> scores;
  request.report = [&](const CurvePoint& point) {
    epochs.push_back(point.epoch);
    scores.push_back(point.score);
    EXPECT_TRUE(point.metrics.starts_with("{\"accuracy\":"));
    return true;
  };
  EXPECT_EQ(evaluator->evaluate(request).scores, std::vector<double>{0.75});
  EXPECT_EQ(epochs, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(scores, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
}

TEST_F(CommandEvaluatorTest, ATrialGivenUpIsEnded) {
  const auto evaluator = script(
      "echo $$ > $FOLDER/process\n"
      "for i in 1 2; do echo \"{\\\"epoch\\\": $i, \\\"accuracy\\\": 0.$i}\"; done\n"
      "exec sleep 300");
  EvaluationRequest request = question("relu(x)");
  request.report = [](const CurvePoint& point) { return point.epoch < 2; };
  const TrialOutcome outcome = evaluator->evaluate(request);
  EXPECT_EQ(outcome.status, TrialStatus::kStopped);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.2});
  EXPECT_TRUE(is_soon_gone(file_text(folder.path() / "process")));
}

// Whether later lines came in the same read or not, they do not count.
TEST_F(CommandEvaluatorTest, ATrialGivenUpKeepsTheScoreItHad) {
  const auto evaluator = script("for i in 1 2 3 4 5; do echo \"{\\\"epoch\\\": $i, \\\"accuracy\\\": 0.$i}\"; done");
  EvaluationRequest request = question("relu(x)");
  int reports = 0;
  request.report = [&](const CurvePoint& point) {
    ++reports;
    return point.epoch < 3;
  };
  const TrialOutcome outcome = evaluator->evaluate(request);
  EXPECT_EQ(outcome.status, TrialStatus::kStopped);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.3});
  EXPECT_EQ(reports, 3);
}

// Halfway, a command may not know all of its measures yet.
TEST_F(CommandEvaluatorTest, ATrialGivenUpMayLackOtherMeasures) {
  settings.objective = "accuracy,loss";
  EvaluationRequest request = question("relu(x)");
  request.report = [](const CurvePoint&) { return false; };
  const TrialOutcome outcome = script("echo '{\"epoch\": 1, \"accuracy\": 0.5}'; sleep 300")->evaluate(request);
  EXPECT_EQ(outcome.status, TrialStatus::kStopped);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.5});
}

TEST_F(CommandEvaluatorTest, StopsWhenAsked) {
  const auto evaluator = script("echo $$ > $FOLDER/process; echo '{\"accuracy\": 0.5}'; exec sleep 300");
  EvaluationRequest request = question("relu(x)");
  request.run.stop = [&] { return !file_text(folder.path() / "process").empty(); };
  EXPECT_EQ(message_of([&] { evaluator->evaluate(request); }), "code 130: stopped");
  EXPECT_TRUE(is_soon_gone(file_text(folder.path() / "process")));
}

TEST_F(CommandEvaluatorTest, WhatBreaksIsAnErrorWithItsReason) {
  const std::string none = "code 1: the command printed no line of JSON, such as {\"accuracy\": 0.93}";
  EXPECT_EQ(error_of("true"), none);
  EXPECT_EQ(error_of("echo rubbish; head -c 100000 /dev/urandom; echo; echo '[{\"accuracy\": 1}]'"), none);
  EXPECT_EQ(error_of("echo '{\"accuracy\": 1}'; echo 'out of memory' >&2; exit 3"),
            "code 1: the command ended with code 3: out of memory");
  EXPECT_EQ(error_of("exit 4"), "code 1: the command ended with code 4");
  EXPECT_EQ(message_of([&] { command("echo oh >&2; kill -TERM $$; : {expr}")->evaluate(question("relu(x)")); }),
            "code 1: the command was ended by signal 15: oh");
  EXPECT_EQ(error_of("echo '{\"acuracy\": 1}'"), "code 1: the command's answer has no \"accuracy\": {\"acuracy\":1}");
  const std::string long_error = error_of("seq 1 100000 >&2; exit 1");
  EXPECT_LT(long_error.size(), 2200u);
  EXPECT_TRUE(long_error.starts_with("code 1: the command ended with code 1:\n...\n99"));
  EXPECT_TRUE(long_error.ends_with("\n99999\n100000"));
  EXPECT_EQ(error_of("printf 'Traceback\\n  line 3\\nValueError: no\\n' >&2; exit 1"),
            "code 1: the command ended with code 1:\nTraceback\n  line 3\nValueError: no");
  EXPECT_EQ(error_of("echo \"{'accuracy': 0.5}\""),
            none + "; what Python prints of a dictionary is none: print(json.dumps(result))");
}

TEST_F(CommandEvaluatorTest, AStrangeAnswerIsAnErrorAtWorst) {
  for (const char* line : {"{}", "{\"accuracy\": {}}", "{\"epoch\": {}, \"accuracy\": 1}", "{\"epoch\": 1}",
                           "{\"status\": 5, \"accuracy\": 1}", "{\"status\": \"failed\", \"reason\": [1]}",
                           "{\"accuracy\": 1, \"note\": \"\\ud800\"}", "{\"accuracy\": 1e999}",
                           "{\"epoch\": 18446744073709551615, \"accuracy\": 1}", "{\"accuracy\": true}"}) {
    std::ofstream(folder.path() / "answer") << line << "\n";
    error_of("cat $FOLDER/answer");
  }
  // Deeper than any stack.
  error_of(
      "printf '{\"accuracy\": 1, \"a\": '; head -c 300000 /dev/zero | tr '\\0' '['; "
      "head -c 300000 /dev/zero | tr '\\0' ']'; echo '}'");
}

TEST_F(CommandEvaluatorTest, TakesNoLongerThanAllowed) {
  settings.evaluate["timeout"] = "0.3";
  EXPECT_EQ(error_of("echo '{\"accuracy\": 1}'; sleep 300"), "code 1: the command took longer than 0.3 s");
}

TEST_F(CommandEvaluatorTest, ACommandMaySayThatTheFunctionIsNoGood) {
  const TrialOutcome outcome = outcome_of(R"(echo '{"status": "failed", "reason": "the loss is undefined"}')");
  EXPECT_EQ(outcome.status, TrialStatus::kFailed);
  EXPECT_EQ(outcome.reason, "the loss is undefined");
  EXPECT_EQ(outcome_of(R"(echo '{"status": "failed", "accuracy": 1}')").reason, "the command said so");
}

// Python's json module writes NaN and Infinity, printf() of C nan and inf.
TEST_F(CommandEvaluatorTest, WhatIsNoNumberFails) {
  for (const std::string value :
       {"null", "\"high\"", "[]", "NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"}) {
    // Not what it had before.
    const TrialOutcome outcome =
        outcome_of("echo '{\"epoch\": 1, \"accuracy\": 0.5}'; echo '{\"loss\":1,\"accuracy\": " + value + "}'");
    EXPECT_EQ(outcome.status, TrialStatus::kFailed) << value;
    EXPECT_TRUE(outcome.reason.starts_with("accuracy is not a number: ")) << value;
    EXPECT_TRUE(outcome.scores.empty()) << value;
  }
  const TrialOutcome fine = outcome_of(R"(echo '{"accuracy": 0.5, "loss": NaN, "note": "a \" NaN"}')");
  EXPECT_EQ(fine.status, TrialStatus::kCompleted);
  EXPECT_EQ(fine.metrics, R"({"accuracy":0.5,"loss":null,"note":"a \" NaN"})");
}

TEST_F(CommandEvaluatorTest, MeasuresOfOnesOwn) {
  settings.objective = "val/f1:max,latency:min";
  EXPECT_EQ(outcome_of(R"(echo '{"val/f1": 85.3, "latency": 12}')").scores, (std::vector<double>{85.3, -12}));
  EXPECT_EQ(outcome_of(R"(echo '{"score": -86, "latency": -1}')").scores, (std::vector<double>{-86, 1}));
  EXPECT_EQ(error_of(R"(echo '{"val/f1": 1}')"), R"(code 1: the command's answer has no "latency": {"val/f1":1})");
}

TEST_F(CommandEvaluatorTest, AnAnswerMayStandBehindAPrefix) {
  EXPECT_EQ(outcome_of(R"(echo '2024-01-01 {main} INFO: {"accuracy": 0.5}'; echo 'INFO: saved {"lr": 0.1}')").scores,
            std::vector<double>{0.5});
  // Behind a prefix only what is about the trial counts; nor is there anything behind it.
  EXPECT_EQ(outcome_of(R"(echo '{"accuracy": 0.25}'; echo 'DEBUG {"accuracy": 1} and more'; echo '[{"accuracy": 1}]')")
                .scores,
            std::vector<double>{0.25});
  EvaluationRequest request = question("relu(x)");
  int reports = 0;
  request.report = [&](const CurvePoint& point) { return ++reports, point.epoch == 1 && point.score == 0.5; };
  script("echo 'INFO:root:{\"epoch\": 1, \"accuracy\": 0.5}'; echo '{\"accuracy\": 1}'")->evaluate(request);
  EXPECT_EQ(reports, 1);
}

TEST_F(CommandEvaluatorTest, ANumberInQuotesCountsWithANote) {
  const TrialOutcome outcome = outcome_of(R"(echo '{"accuracy": "0.85"}')");
  EXPECT_EQ(outcome.status, TrialStatus::kCompleted);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.85});
  EXPECT_EQ(outcome.reason, "accuracy came as a text in quotes, and counts as the number in it");
  EXPECT_EQ(outcome_of(R"(echo '{"accuracy": "nan"}')").reason, "accuracy is not a number: \"nan\"");
  EXPECT_EQ(outcome_of(R"(echo '{"accuracy": "0.85%"}')").reason, "accuracy is not a number: \"0.85%\"");
}

// NumPy takes 32 bits, C's int 31.
TEST_F(CommandEvaluatorTest, SeedsAreShortAndLong) {
  EvaluationRequest request = question("relu(x)");
  request.run.seed = 0xfedcba9876543210;
  script("echo $2 $3 $ACTFORGE_SEED $ACTFORGE_SEED64 > $FOLDER/seen; echo '{\"accuracy\": 1}'",
         "{expr} {seed} {seed64}")
      ->evaluate(request);
  EXPECT_EQ(file_text(folder.path() / "seen"), "1985229328 18364758544493064720 1985229328 18364758544493064720\n");
}

TEST_F(CommandEvaluatorTest, HyperparametersArePlaceholders) {
  const auto joint = [&](const std::string& text, const std::vector<std::string>& names) {
    return find_evaluator("command").make({.options = {{"command", text}},
                                           .objectives = read_objectives({.text = "accuracy"}),
                                           .hyperparameters = names});
  };
  const std::string seen = (folder.path() / "seen").string();
  const auto evaluator =
      joint("echo {expr} {learning-rate} {L.2} \"$ACTFORGE_WITH\" > " + seen + "; echo '{\"accuracy\": 1}'",
            {"learning-rate", "L.2"});
  EvaluationRequest request = question("relu(x)");
  EXPECT_EQ(message_of([&] { evaluator->evaluate(request); }), "code 1: this trial has no value of {learning-rate}");
  request.hyperparameters = {{"learning-rate", "0.05"}, {"L.2", "some of it"}};
  evaluator->evaluate(request);
  EXPECT_EQ(file_text(seen), "relu(x) 0.05 some of it {\"L.2\":\"some of it\",\"learning-rate\":0.05}\n");
  const auto refusal = [&](const std::string& text, const std::vector<std::string>& names) {
    return message_of([&] { joint(text, names); });
  };
  EXPECT_EQ(refusal("{expr} {learning-rates}", {"learning-rate"}),
            "code 2: [evaluate] command: nothing is known of {learning-rates}; did you mean 'learning-rate'?");
  EXPECT_EQ(refusal("{expr}", {"learning-rate"}),
            "code 2: [evaluate] command: it is not told the hyperparameter 'learning-rate'; put {learning-rate} in it");
  EXPECT_EQ(refusal("{expr} $ACTFORGE_WITH", {"learning-rate"}), "no error");
  EXPECT_EQ(refusal("./reads_its_environment", {"learning-rate"}), "no error");
  EXPECT_EQ(refusal("{expr} {seed}", {"seed"}),
            "code 2: [space] with: 'seed' is what {seed} stands for already; take another name");
}

TEST_F(CommandEvaluatorTest, KeepsALog) {
  EvaluationRequest request = question("relu(x)");
  request.log = (folder.path() / "logs" / "7.log").string();
  command("echo out {expr}; sleep 0.1; echo err >&2; sleep 0.1; echo '{\"accuracy\": 1}'")->evaluate(request);
  EXPECT_EQ(file_text(request.log),
            "$ echo out 'relu(x)'; sleep 0.1; echo err >&2; sleep 0.1; echo '{\"accuracy\": 1}'\nout relu(x)\nerr\n"
            "{\"accuracy\": 1}\n");
}

TEST_F(CommandEvaluatorTest, TemporaryFilesAreWhereTheyShouldBe) {
  const std::filesystem::path scratch = folder.path() / "scratch";
  std::filesystem::create_directory(scratch);
  settings.evaluate["scratch"] = scratch.string();
  script("echo \"$TMPDIR $1\" > $FOLDER/seen; echo '{\"accuracy\": 1}'", "{file_pytorch}")
      ->evaluate(question("relu(x)"));
  EXPECT_TRUE(file_text(folder.path() / "seen").starts_with(scratch.string() + " " + scratch.string() + "/actforge-"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
  settings.evaluate["scratch"] = (folder.path() / "none").string();
  EXPECT_TRUE(refusal_of("./run {expr}").starts_with("code 2: [evaluate] scratch: there is no folder '"));
}

TEST_F(CommandEvaluatorTest, FillsInThePlaceholders) {
  const auto evaluator =
      script("for a in \"$@\"; do printf '%s\\n--\\n' \"$a\"; done > $FOLDER/seen\necho '{\"accuracy\": 1}'",
             "{expr} {expr_infix} {expr_latex} {expr_pytorch} {seed} {trial} 'x{seed}y' ${HOME} {} {A} {a b}");
  const EvaluationRequest request = question("max(relu(x),tanh(x) + 1)");
  evaluator->evaluate(request);
  std::string wanted;
  for (const std::string& value : {request.expression, to_infix(request.function), to_latex(request.function),
                                   export_expr(request.function, "pytorch"), std::string("12345"), std::string("7"),
                                   std::string("x12345y"), std::string(std::getenv("HOME")), std::string("{}"),
                                   std::string("{A}"), std::string("{a"), std::string("b}")}) {
    wanted += value + "\n--\n";
  }
  EXPECT_EQ(file_text(folder.path() / "seen"), wanted);
}

TEST_F(CommandEvaluatorTest, EveryExportIsAPlaceholder) {
  const EvaluationRequest request = question("relu(x)");
  for (const ExportTarget& target : export_targets()) {
    const std::string name(target.name);
    script("cp \"$1\" $FOLDER/copy; echo '{\"accuracy\": 1}'", "{file_" + name + "}")->evaluate(request);
    EXPECT_EQ(file_text(folder.path() / "copy"), export_expr(request.function, name)) << name;
  }
}

TEST_F(CommandEvaluatorTest, FilesAreThereWhileItRuns) {
  const EvaluationRequest request = question("relu(x)");
  script("printf '%s' \"$1\" > $FOLDER/path; cp \"$1\" $FOLDER/copy; cp \"$2\" $FOLDER/other; echo '{\"accuracy\": 1}'",
         "{file_pytorch} {file_jax}")
      ->evaluate(request);
  EXPECT_EQ(file_text(folder.path() / "copy"), export_expr(request.function, "pytorch"));
  EXPECT_EQ(file_text(folder.path() / "other"), export_expr(request.function, "jax"));
  const std::filesystem::path path = file_text(folder.path() / "path");
  EXPECT_EQ(path.extension(), ".py");
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path.parent_path()));
}

TEST_F(CommandEvaluatorTest, FilesAreGoneAfterAnErrorToo) {
  message_of(
      [&] { script("printf '%s' \"$1\" > $FOLDER/path; exit 1", "{file_pytorch}")->evaluate(question("relu(x)")); });
  const std::filesystem::path path = file_text(folder.path() / "path");
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(std::filesystem::exists(path.parent_path()));
}

TEST_F(CommandEvaluatorTest, TheEnvironmentKnowsTheFunction) {
  const auto evaluator = command("echo \"$ACTFORGE_EXPR $ACTFORGE_SEED $ACTFORGE_TRIAL\" > " +
                                 (folder.path() / "seen").string() + "; echo '{\"accuracy\": 1}'");
  evaluator->evaluate(question("relu(x)"));
  EXPECT_EQ(file_text(folder.path() / "seen"), "relu(x) 12345 7\n");
}

TEST_F(CommandEvaluatorTest, CommandsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refusal_of("./run {exprs}"),
            "code 2: [evaluate] command: nothing is known of {exprs}; did you mean 'expr'?");
  EXPECT_EQ(refusal_of("./run {expr} {file_pytorhc}"),
            "code 2: [evaluate] command: nothing is known of {file_pytorhc}; did you mean 'file_pytorch'?");
  EXPECT_EQ(refusal_of("./run {expr}"), "no error");
}

// Whoever forgot the placeholder is told so; whoever reads the environment is not.
TEST_F(CommandEvaluatorTest, ACommandWithoutPlaceholdersMayReadTheEnvironment) {
  std::ofstream(folder.path() / "reads.py") << "import os\nexpr = os.environ['ACTFORGE_EXPR']\n";
  std::ofstream(folder.path() / "forgets.py") << "print(1)\n";
  const auto caution_of = [&](const std::string& text, const std::string& persistent = "false") {
    EXPECT_EQ(refusal_of(text), "no error");
    return find_evaluator("command")
        .nature({{"command", text}, {"directory", folder.path().string()}, {"persistent", persistent}})
        .caution;
  };
  EXPECT_EQ(caution_of("python3 reads.py"), "");
  EXPECT_EQ(caution_of("python3 forgets.py {expr}"), "");
  EXPECT_EQ(caution_of("python3 forgets.py $ACTFORGE_EXPR"), "");
  EXPECT_TRUE(caution_of("python3 forgets.py {seed}").starts_with("the command has no place for the function"));
  EXPECT_EQ(caution_of("python3 forgets.py", "true"), "");
}

// Functions are printed by us, but a study's file may come from anywhere.
TEST_F(CommandEvaluatorTest, AnExpressionRunsNothing) {
  const std::string made = (folder.path() / "made").string();
  EvaluationRequest request = question("relu(x)");
  request.expression = "x'; touch " + made + "; ' $(touch " + made + ") `touch " + made + "` \"; touch " + made +
                       " #\n" + "touch " + made + "\n";
  script("printf '%s' \"$1\" > $FOLDER/seen; echo '{\"accuracy\": 1}'")->evaluate(request);
  EXPECT_EQ(file_text(folder.path() / "seen"), request.expression);
  EXPECT_FALSE(std::filesystem::exists(made));
}

}  // namespace
}  // namespace actforge
