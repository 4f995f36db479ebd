// A command that is started once and asked for every function.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "actforge/base/read_file.h"
#include "actforge/expr/export/export.h"
#include "tests/base/process.h"
#include "tests/search/evaluator_helpers.h"

namespace actforge {
namespace {

class PersistentCommandTest : public testing::Test {
 protected:
  PersistentCommandTest() {
    settings.evaluator = "command";
    settings.evaluate["persistent"] = "true";
  }

  // A script that answers each line by the commands in `body`, and may use $FOLDER, $line, $trial, $$ and `say`, which
  // answers with the trial. It notes its starts.
  void start(const std::string& body) {
    const std::filesystem::path path = folder.path() / "script.sh";
    std::ofstream(path) << "FOLDER='" << folder.path().string() << "'\necho $$ >> $FOLDER/starts\n"
                        << "say() { echo \"{\\\"trial\\\": $trial, $1}\"; }\n"
                        << "while read -r line; do\n"
                        << "trial=$(printf '%s' \"$line\" | sed 's/.*\"trial\"://;s/[^0-9].*//')\n"
                        << body << "\ndone\necho bye >> $FOLDER/ends\n";
    settings.evaluate["command"] = "exec sh " + path.string();
    evaluator = make_evaluator(settings);
  }
  TrialOutcome ask(std::int64_t trial = 7) {
    EvaluationRequest request = question("relu(x)");
    request.trial = trial;
    return evaluator->evaluate(request);
  }
  std::string error_of_asking() {
    return message_of([&] { ask(); });
  }
  std::string text(const std::string& name) const { return read_file(folder.path() / name).value_or(""); }
  // Process ids of all starts.
  std::vector<std::string> starts() const {
    std::istringstream lines(text("starts"));
    std::vector<std::string> list;
    for (std::string line; std::getline(lines, line);) list.push_back(line);
    return list;
  }

  ScratchFolder folder;
  StudySettings settings;
  std::unique_ptr<Evaluator> evaluator;
};

TEST_F(PersistentCommandTest, IsStartedOnceAndGivenTheFunction) {
  start("echo working; printf '%s\\n' \"$line\" > $FOLDER/question; say '\"accuracy\": 0.5, \"note\": 1'");
  EXPECT_TRUE(starts().empty());  // not before there is something to ask
  EXPECT_EQ(ask(1).scores, std::vector<double>{0.5});
  EXPECT_EQ(ask(2).metrics, R"({"accuracy":0.5,"note":1,"trial":2})");
  EXPECT_EQ(starts().size(), 1u);
  const nlohmann::json asked = nlohmann::json::parse(text("question"));
  EXPECT_EQ(asked["trial"], 2);
  EXPECT_EQ(asked["expr"], "relu(x)");
  EXPECT_EQ(asked["seed"], 12345);
  EXPECT_EQ(asked["seed64"], 12345);
  EXPECT_EQ(asked["stage"], "search");
  EXPECT_EQ(asked["expr_pytorch"], export_expr(parse("relu(x)"), "pytorch"));
  EXPECT_FALSE(asked.contains("file_pytorch"));
  evaluator.reset();
  EXPECT_EQ(text("ends"), "bye\n");  // it could end by itself
  EXPECT_TRUE(is_soon_gone(starts()[0]));
}

TEST_F(PersistentCommandTest, ValuesOfTheCallerAreInTheQuestion) {
  start("printf '%s\\n' \"$line\" > $FOLDER/question; say '\"accuracy\": 0.5'");
  EvaluationRequest request = question("relu(x)");
  request.hyperparameters = {{"learning-rate", "0.05"}, {"optimizer", "adam"}};
  evaluator->evaluate(request);
  const nlohmann::json asked = nlohmann::json::parse(text("question"));
  EXPECT_EQ(asked["learning-rate"], 0.05);
  EXPECT_EQ(asked["optimizer"], "adam");
}

TEST_F(PersistentCommandTest, EpochsComeBeforeTheAnswer) {
  start("for i in 1 2 3; do say \"\\\"epoch\\\": $i, \\\"accuracy\\\": 0.$i\"; done; say '\"accuracy\": 0.9'");
  EvaluationRequest request = question("relu(x)");
  std::vector<double> scores;
  request.report = [&](const CurvePoint& point) {
    scores.push_back(point.score);
    return true;
  };
  EXPECT_EQ(evaluator->evaluate(request).scores, std::vector<double>{0.9});
  EXPECT_EQ(scores, (std::vector<double>{0.1, 0.2, 0.3}));
}

TEST_F(PersistentCommandTest, AnAnswerToAnotherTrialIsNone) {
  start("printf '{\"trial\": 1, \"accuracy\": 0.1}\\n{\"trial\": 2, \"accuracy\": 0.2}\\n'");
  EXPECT_EQ(ask(1).scores, std::vector<double>{0.1});
  EXPECT_EQ(ask(2).scores, std::vector<double>{0.2});
}

// What a logger repeats after the answer, and objects about other things, are nobody's answer.
TEST_F(PersistentCommandTest, WhatNamesNoTrialIsNoAnswer) {
  start(
      "echo '{\"event\": \"start\"}'; say '\"accuracy\": 0.'$trial; echo 'INFO: {\"note\": 0.9}'; echo '{\"lr\": "
      "0.1}'");
  EXPECT_EQ(ask(1).scores, std::vector<double>{0.1});
  EXPECT_EQ(ask(2).scores, std::vector<double>{0.2});
  EXPECT_EQ(starts().size(), 1u);
  start("echo '{\"accuracy\": 0.9}'");
  EXPECT_TRUE(
      error_of_asking().starts_with("code 1: the command's answer does not name its trial; print {\"trial\": 7"));
  EXPECT_TRUE(error_of_asking().starts_with("code 1: the command's answer does not name its trial"));
}

TEST_F(PersistentCommandTest, IsStartedAgainWhenItDied) {
  start("case $line in *'\"trial\":3'*) echo no memory >&2; kill -9 $$;; *) say '\"accuracy\": 0.5';; esac");
  ask(1);
  EXPECT_EQ(message_of([&] { ask(3); }), "code 1: the command was ended by signal 9: no memory");
  EXPECT_EQ(ask(4).scores, std::vector<double>{0.5});
  EXPECT_EQ(starts().size(), 2u);
}

TEST_F(PersistentCommandTest, OneThatEndsAfterEachAnswerWorksToo) {
  start("say '\"accuracy\": 0.5'; exit 0");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(i).scores, std::vector<double>{0.5});
}

TEST_F(PersistentCommandTest, WithoutAnAnswerThereIsAReason) {
  start("echo oh >&2; exit 0");
  EXPECT_EQ(error_of_asking(), "code 1: the command ended without an answer: oh");
  start("echo oh >&2; exit 2");
  EXPECT_EQ(error_of_asking(), "code 1: the command ended with code 2: oh");
  start("say '\"f1\": 1'");
  EXPECT_EQ(error_of_asking(), "code 1: the command's answer has no \"accuracy\": {\"f1\":1,\"trial\":7}");
}

TEST_F(PersistentCommandTest, ATimeoutKillsIt) {
  settings.evaluate["timeout"] = "0.3";
  start("case $line in *'\"trial\":1'*) sleep 300;; *) say '\"accuracy\": 0.5';; esac");
  EXPECT_EQ(message_of([&] { ask(1); }), "code 1: the command took longer than 0.3 s");
  EXPECT_TRUE(is_soon_gone(starts()[0]));
  EXPECT_EQ(ask(2).scores, std::vector<double>{0.5});
}

TEST_F(PersistentCommandTest, ATrialGivenUpEndsIt) {
  start("say '\"epoch\": 1, \"accuracy\": 0.25'; sleep 300");
  EvaluationRequest request = question("relu(x)");
  request.report = [](const CurvePoint&) { return false; };
  const TrialOutcome outcome = evaluator->evaluate(request);
  EXPECT_EQ(outcome.status, TrialStatus::kStopped);
  EXPECT_EQ(outcome.scores, std::vector<double>{0.25});
  EXPECT_TRUE(is_soon_gone(starts()[0]));
}

TEST_F(PersistentCommandTest, StopsWhenAsked) {
  start("sleep 300");
  EvaluationRequest request = question("relu(x)");
  request.run.stop = [&] { return !starts().empty(); };
  EXPECT_EQ(message_of([&] { evaluator->evaluate(request); }), "code 130: stopped");
  EXPECT_TRUE(is_soon_gone(starts()[0]));
}

TEST_F(PersistentCommandTest, EachTrialHasItsLog) {
  start("echo working on; say '\"accuracy\": 0.5'; echo done >&2");
  for (const char* name : {"1.log", "2.log"}) {
    EvaluationRequest request = question("relu(x)");
    request.log = (folder.path() / name).string();
    evaluator->evaluate(request);
    // What comes after the answer may be in either log.
    EXPECT_TRUE(text(name).starts_with("> relu(x)\n")) << text(name);
    EXPECT_NE(text(name).find("\"accuracy\": 0.5}\n"), std::string::npos) << text(name);
  }
}

TEST_F(PersistentCommandTest, IsTheSameForAllFunctions) {
  settings.evaluate["command"] = "./run {seed} {expr}";
  EXPECT_EQ(message_of([&] { make_evaluator(settings); }),
            "code 2: [evaluate] command: a persistent one is started once, for all functions; take {seed} out, and "
            "read it from the line that it is given");
}

}  // namespace
}  // namespace actforge
