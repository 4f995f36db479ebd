// A study run by processes: small scripts in the place of workers and evaluations.
#include "actforge/study/run_study.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <fstream>
#include <optional>

#include "actforge/study/begin_study.h"
#include "tests/base/process.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

std::optional<ErrorCode> code_of(const std::function<void()>& call, std::string& message) {
  try {
    call();
  } catch (const Error& error) {
    message = error.what();
    return error.code();
  }
  return {};
}

StudySettings settings_without_baseline() {
  StudySettings settings = quick_settings("random", 3);
  settings.baseline = "";
  settings.workers = 2;
  return settings;
}

std::string answer(double score) { return outcome_json({.scores = {score}}); }

TEST(RunStudy, EndsWhenAllWorkersHave) {
  const TestStudy study(settings_without_baseline());
  std::vector<std::vector<std::string>> seen;
  RunStudyOptions options = {.settings = study.settings, .worker = shell("sleep 0.8")};
  options.watch = [&](const std::vector<std::string>& workers) { seen.push_back(workers); };
  run_study(*study.store, options, {});
  ASSERT_GT(seen.size(), 2u);
  EXPECT_TRUE(seen[0].empty());  // before any is started
  EXPECT_TRUE(std::ranges::any_of(seen, [](const auto& workers) { return workers.size() == 2; }));
  EXPECT_TRUE(seen.back().empty());
  EXPECT_GE(study.store->seconds(), 0.8);
}

TEST(RunStudy, StopsPolitely) {
  const TestStudy study(settings_without_baseline());
  const std::string log = (study.folder.path() / "log").string();
  const auto lines = [&] {
    std::ifstream file(log);
    std::vector<std::string> list;
    for (std::string line; std::getline(file, line);) list.push_back(line);
    return list;
  };
  RunStudyOptions options = {
      .settings = study.settings,
      .worker = shell("trap 'sleep 0.1; echo stopped >> " + log + "; exit 143' TERM; echo began >> " + log +
                      "; while :; do sleep 0.02; done")};
  std::string message;
  const std::optional<ErrorCode> code =
      code_of([&] { run_study(*study.store, options, {.stop = [&] { return lines().size() >= 2; }}); }, message);
  EXPECT_EQ(code, ErrorCode::kCancelled) << message;
  EXPECT_EQ(lines(), (std::vector<std::string>{"began", "began", "stopped", "stopped"}));
}

TEST(RunStudy, AnErrorOfAWorkerIsItsError) {
  const TestStudy study(settings_without_baseline());
  std::string message;
  const RunStudyOptions options = {.settings = study.settings, .worker = shell("echo 'actforge: oh dear' >&2; exit 3")};
  EXPECT_EQ(code_of([&] { run_study(*study.store, options, {}); }, message), ErrorCode::kBadInput);
  EXPECT_EQ(message, "oh dear");
}

TEST(RunStudy, WorkersThatOnlyDieAreNotReplacedForEver) {
  const TestStudy study(settings_without_baseline());
  std::string message;
  const RunStudyOptions options = {.settings = study.settings, .worker = shell("kill -9 $$")};
  EXPECT_EQ(code_of([&] { run_study(*study.store, options, {}); }, message), ErrorCode::kFailed);
  EXPECT_NE(message.find("workers in a row died without a result"), std::string::npos) << message;
}

TEST(RunStudy, MeasuresTheBaselineFirst) {
  StudySettings settings = settings_without_baseline();
  settings.baseline = "relu(x)";
  const TestStudy study(settings);
  RunStudyOptions options = {
      .settings = settings, .worker = shell("true"), .evaluate = shell("echo '" + answer(0.25) + "'")};
  std::vector<std::string> done;
  options.baseline_done = [&](const StageJob& job, const TrialOutcome&) { done.push_back(job.expression); };
  run_study(*study.store, options, {});
  EXPECT_EQ(done, (std::vector<std::string>{"relu(x)"}));
  const std::vector<StudyRun> runs = study.store->runs(stage_group(baseline_stage(settings)));
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].outcome.scores, (std::vector<double>{0.25}));
  run_study(*study.store, options, {});  // it is there
  EXPECT_EQ(done.size(), 1u);
}

TEST(RunStudy, ABaselineThatFailsIsNoReasonToStop) {
  StudySettings settings = settings_without_baseline();
  settings.baseline = "relu(x)";
  const TestStudy study(settings);
  const std::string ran = (study.folder.path() / "ran").string();
  RunStudyOptions options = {.settings = settings, .worker = shell("echo >> " + ran), .evaluate = shell("exit 1")};
  int failures = 0;
  options.baseline_failed = [&](const Error&) { ++failures; };
  run_study(*study.store, options, {});
  EXPECT_EQ(failures, 1);
  EXPECT_TRUE(std::ifstream(ran).good());
}

StagePlan final_run(const TestStudy& study, const std::string& script) {
  return {.stage = final_stage(study.settings),
          .functions = {"relu(x)", "tanh(x)"},
          .repeats = 3,
          .command = shell(script),
          .workers = 2};
}

TEST(RunStage, DoesOnlyWhatIsMissing) {
  const TestStudy study(settings_without_baseline());
  const std::string log = (study.folder.path() / "log").string();
  StagePlan run = final_run(study, "echo $2 $4 >> " + log + "; echo '" + answer(0.5) + "'");
  std::vector<std::size_t> progress;
  RunContext context = {.progress = [&](std::string_view step, std::size_t done, std::size_t all) {
    EXPECT_EQ(step, "final");
    EXPECT_EQ(all, 6u);
    progress.push_back(done);
  }};
  run_stage(*study.store, run, context);
  EXPECT_EQ(progress.front(), 0u);
  EXPECT_EQ(progress.back(), 6u);
  EXPECT_EQ(study.store->runs(stage_group(run.stage)).size(), 6u);
  run.command = shell("exit 1");  // not asked again
  run_stage(*study.store, run, {});
}

TEST(RunStage, StopsAtOnceAndGoesOn) {
  const TestStudy study(settings_without_baseline());
  StagePlan run = final_run(study, "test $4 = 0 || sleep 300; echo '" + answer(0.5) + "'");
  std::size_t done = 0;
  run.done = [&](const StageJob&, const TrialOutcome&) { ++done; };
  std::string message;
  EXPECT_EQ(code_of([&] { run_stage(*study.store, run, {.stop = [&] { return done == 2; }}); }, message),
            ErrorCode::kCancelled);
  EXPECT_EQ(study.store->runs(stage_group(run.stage)).size(), 2u);
  run.command = shell("echo '" + answer(0.5) + "'");
  run_stage(*study.store, run, {});
  EXPECT_EQ(done, 6u);
}

TEST(RunStage, ALookAtTestImagesIsNotedOnce) {
  const TestStudy study(settings_without_baseline());
  StagePlan run = final_run(study, "echo '" + answer(0.5) + "'");
  EXPECT_EQ(note_test_look(*study.store, run), 1u);
  EXPECT_EQ(note_test_look(*study.store, run), 1u);  // it was interrupted
  run_stage(*study.store, run, {});
  run.functions.emplace_back("swish(x)");
  EXPECT_EQ(note_test_look(*study.store, run), 2u);
  run_stage(*study.store, run, {});
  run.functions = {"tanh(x)"};  // nothing is looked at
  EXPECT_EQ(note_test_look(*study.store, run), 2u);
}

TEST(BeginStudy, GoesOnWithWhatIsThere) {
  const ScratchFolder folder;
  const std::string place = (folder.path() / "study.db").string();
  StudySettings settings = settings_without_baseline();
  begin_study(place, settings);
  settings.trials = 7;
  const std::unique_ptr<Store> store = begin_study(place, settings);
  EXPECT_EQ(open_study(place).settings.trials, 7u);
  ASSERT_FALSE(store->events().empty());
  EXPECT_EQ(store->events().back().kind, "resumed");
  settings.seed += 1;
  std::string message;
  EXPECT_EQ(code_of([&] { begin_study(place, settings); }, message), ErrorCode::kUsage);
}

}  // namespace
}  // namespace actforge
