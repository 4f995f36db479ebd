// Workers that measure features of functions for the strategy.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "actforge/base/random.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/study/supervisor.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

StudySettings with_spectra(std::uint64_t trials) {
  StudySettings settings;
  settings.strategy = "aquasurf";
  settings.space = "binary(unary(x),unary(x))";
  settings.options["start"] = "relu(x), tanh(x)";
  settings.options["pool"] = "12";
  settings.options["growth"] = "2";
  settings.net = "mlp-1-16";
  settings.repeats = "0";
  settings.trials = trials;
  complete_settings(settings);
  return settings;
}

// Numbers that depend on the function alone, in no time.
class TestProbe : public FeatureProbe {
 public:
  using Watch = std::function<void(const std::string& function)>;
  explicit TestProbe(
      const StudySettings& settings, Watch watch = [](const std::string&) {})
      : group_(spectrum_conditions(settings).group), watch_(std::move(watch)) {}

  void measure(Store& store, const Expr& function) override {
    watch_(to_call(function));
    const Hash128 hash = canonical(function).hash();
    StudyFeatures features = {.group = group_, .expression = to_call(function), .key = hash.hex()};
    Random random(hash.low);
    for (int i = 0; i < 8; ++i) features.values.push_back(static_cast<float>(random.uniform()));
    store.add_features(features);
  }

  std::vector<StudyFeatures> all(Store& store) const {
    std::int64_t seen = 0;
    return store.features(group_, seen);
  }

 private:
  std::string group_;
  Watch watch_;
};

TrialOutcome score(const EvaluationRequest& request) {
  return {.scores = {1.0 / static_cast<double>(request.expression.size())}};
}

WorkerEnd run(const TestStudy& study, TestProbe& probe, const std::string& name = "worker") {
  TestEvaluator evaluator(score);
  return run_worker({.location = study.place,
                     .settings = study.settings,
                     .name = {.name = name, .version = "1", .lease = 60},
                     .probe = &probe},
                    evaluator);
}

std::vector<std::string> functions(const std::vector<StudyFeatures>& features) {
  std::vector<std::string> list;
  for (const StudyFeatures& row : features) list.push_back(row.expression);
  return list;
}

TEST(Features, OneWorkerMeasuresTheSameEveryTime) {
  const StudySettings settings = with_spectra(8);
  const TestStudy a(settings), b(settings);
  TestProbe probe(settings);
  EXPECT_EQ(run(a, probe), WorkerEnd::kDone);
  EXPECT_EQ(run(b, probe), WorkerEnd::kDone);
  EXPECT_EQ(a.story(), b.story());
  EXPECT_EQ(functions(probe.all(*a.store)), functions(probe.all(*b.store)));
  EXPECT_EQ(a.trial(7).plan.origin, "surrogate");
  // Those of the first map, of which one may equal another but for rounding, and two more after each trial but the
  // last.
  const std::size_t measured = probe.all(*a.store).size();
  EXPECT_GE(measured, 11u + 2 * 7);
  EXPECT_LE(measured, 14u + 2 * 7);
}

TEST(Features, NoTwoWorkersMeasureTheSame) {
  const StudySettings settings = with_spectra(12);
  const TestStudy study(settings);
  std::mutex mutex;
  std::multiset<std::string> measured;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      TestProbe probe(settings, [&](const std::string& function) {
        const std::lock_guard lock(mutex);
        measured.insert(function);
      });
      EXPECT_EQ(run(study, probe, "worker" + std::to_string(i)), WorkerEnd::kDone);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(study.store->counts().completed, 12);
  EXPECT_EQ(std::set<std::string>(measured.begin(), measured.end()).size(), measured.size());
  EXPECT_TRUE(study.store->workers().empty());
}

// The third function that is measured kills whoever measures it; the worker is replaced, as a study does.
TEST(Features, AFunctionThatKillsItsWorkersIsSetAside) {
  const StudySettings settings = with_spectra(8);
  TestProbe harmless(settings);
  const TestStudy calm(settings), study(settings);
  run(calm, harmless);
  const std::string deadly = functions(harmless.all(*calm.store)).at(2);
  int deaths = 0, status = -1;
  for (; status != 0 && deaths < 10; ++deaths) {
    const std::string name = "worker" + std::to_string(deaths);
    const pid_t process = fork();
    if (process == 0) {
      TestProbe probe(settings, [&](const std::string& function) {
        if (function == deadly) raise(SIGKILL);  // sanitizers catch what faults send
      });
      _exit(run(study, probe, name) == WorkerEnd::kDone ? 0 : 1);
    }
    waitpid(process, &status, 0);
    if (status == 0) break;
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(open_study(study.place).store->release_dead(name), 1);
  }
  EXPECT_EQ(deaths, 3);
  EXPECT_EQ(study.store->counts().completed, 8);
  for (const StudyFeatures& row : harmless.all(*study.store)) {
    EXPECT_EQ(row.valid, row.expression != deadly) << row.expression;
    EXPECT_EQ(row.reason, row.valid ? "" : "its worker died");
  }
  const std::vector<std::string> tried = study.story();
  EXPECT_TRUE(
      std::none_of(tried.begin() + 2, tried.end(), [&](const std::string& t) { return t.starts_with(deadly + " "); }));
}

constexpr const char* kStudyVariable = "ACTFORGE_TEST_STUDY";

// No test, but what a worker of the next one runs: this program again, told the study by its environment. The functions
// in the file "deadly" beside the study kill it.
TEST(FeaturesWorker, DISABLED_DiesOfSomeFunctions) {
  const char* location = std::getenv(kStudyVariable);
  if (location == nullptr) GTEST_SKIP() << "started by another test alone";
  std::set<std::string> deadly;
  std::ifstream file(std::filesystem::path(location).replace_filename("deadly"));
  for (std::string line; std::getline(file, line);) deadly.insert(line);
  const StudySettings settings = open_study(location).settings;
  TestProbe probe(settings, [&](const std::string& function) {
    if (deadly.contains(function)) raise(SIGKILL);
  });
  TestEvaluator evaluator(score);
  WorkerOptions options = {.location = location, .settings = settings, .probe = &probe};
  options.name = {.name = worker_name(), .version = "1"};
  EXPECT_EQ(run_worker(options, evaluator), WorkerEnd::kDone);
}

// Fifteen workers in a row die without a trial that ends; but each third death sets a function aside.
TEST(Features, ManyDeadlyFunctionsDoNotEndAStudy) {
  StudySettings settings = with_spectra(8);
  settings.workers = 1;
  TestProbe harmless(settings);
  const TestStudy calm(settings), study(settings);
  run(calm, harmless);
  const std::vector<std::string> measured = functions(harmless.all(*calm.store));
  const std::set<std::string> deadly(measured.begin() + 2, measured.begin() + 7);
  std::ofstream file(study.folder.path() / "deadly");
  for (const std::string& function : deadly) file << function << "\n";
  file.close();
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  Supervisor supervisor(
      *study.store, settings,
      {"/usr/bin/env", kStudyVariable + ("=" + study.place), program, "--gtest_also_run_disabled_tests",
       "--gtest_brief=1", "--gtest_filter=FeaturesWorker.DISABLED_DiesOfSomeFunctions"});
  EXPECT_EQ(message_of([&] { supervisor.run({}); }), "no error");
  EXPECT_EQ(study.store->counts().completed, 8);
  std::set<std::string> set_aside;
  for (const StudyFeatures& row : harmless.all(*study.store)) {
    if (!row.valid) set_aside.insert(row.expression);
  }
  EXPECT_EQ(set_aside, deadly);
}

// Wherever a lone worker is killed, the one after it goes on as if nothing had happened.
TEST(Features, AKilledWorkerChangesNothing) {
  const StudySettings settings = with_spectra(8);
  TestProbe harmless(settings);
  const TestStudy calm(settings);
  run(calm, harmless);
  const std::vector<std::string> measured = functions(harmless.all(*calm.store));
  // While the first map is measured, between trials, and at the last one.
  for (const std::size_t place : {std::size_t{3}, measured.size() - 9, measured.size() - 1}) {
    const TestStudy study(settings);
    const pid_t process = fork();
    if (process == 0) {
      TestProbe probe(settings, [&](const std::string& function) {
        if (function == measured[place]) raise(SIGKILL);
      });
      _exit(run(study, probe, "killed") == WorkerEnd::kDone ? 0 : 1);
    }
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << place;
    EXPECT_EQ(harmless.all(*study.store).size(), place);
    EXPECT_EQ(study.store->release_dead("killed"), 1);
    EXPECT_EQ(run(study, harmless, "next"), WorkerEnd::kDone);
    EXPECT_EQ(study.story(), calm.story());
    EXPECT_EQ(functions(harmless.all(*study.store)), measured);
  }
}

// Nothing is known of the function then: it is no attempt.
TEST(Features, AStoreThatFailsIsNotTheFunctionsFault) {
  const StudySettings settings = with_spectra(8);
  const TestStudy study(settings);
  TestProbe broken(settings, [](const std::string&) { throw Error(ErrorCode::kStorage, "disk full"); });
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(message_of([&] { run(study, broken); }), "code 4: disk full");
    EXPECT_TRUE(study.store->workers().empty());
  }
  TestProbe probe(settings);
  EXPECT_EQ(run(study, probe), WorkerEnd::kDone);
  for (const StudyFeatures& row : probe.all(*study.store)) EXPECT_TRUE(row.valid);
}

TEST(Features, AStopWhileMeasuringIsNotTheFunctionsFault) {
  const StudySettings settings = with_spectra(8);
  const TestStudy study(settings);
  TestProbe stopped(settings, [](const std::string&) { throw Error(ErrorCode::kCancelled, "stopped"); });
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(run(study, stopped), WorkerEnd::kStopped);
    EXPECT_TRUE(study.store->workers().empty());
  }
  TestProbe probe(settings);
  EXPECT_EQ(run(study, probe), WorkerEnd::kDone);
  for (const StudyFeatures& row : probe.all(*study.store)) EXPECT_TRUE(row.valid);
}

// An exception of LibTorch, say, where a decomposition does not converge.
TEST(Features, AFunctionThatFailsThriceIsSetAside) {
  const StudySettings settings = with_spectra(8);
  TestProbe harmless(settings);
  const TestStudy calm(settings), study(settings);
  run(calm, harmless);
  const std::string bad = functions(harmless.all(*calm.store)).at(2);
  int attempts = 0;
  TestProbe probe(settings, [&](const std::string& function) {
    if (function != bad) return;
    ++attempts;
    if (attempts == 2) throw Error(ErrorCode::kFailed, "no weights");
    throw std::runtime_error("no eigenvalues");
  });
  EXPECT_EQ(run(study, probe), WorkerEnd::kDone);
  EXPECT_EQ(attempts, 3);
  EXPECT_EQ(study.store->counts().completed, 8);
  EXPECT_TRUE(study.store->workers().empty());
  for (const StudyFeatures& row : harmless.all(*study.store)) {
    EXPECT_EQ(row.valid, row.expression != bad) << row.expression;
    EXPECT_EQ(row.reason, row.valid ? "" : "no eigenvalues");
  }
}

// One that works once in a while does not end the worker, however many fail.
TEST(Features, FailuresCountInARow) {
  const StudySettings settings = with_spectra(8);
  const TestStudy study(settings);
  int calls = 0;
  TestProbe probe(settings, [&](const std::string&) {
    if (++calls % 9 != 0) throw std::runtime_error("now and then");
  });
  EXPECT_EQ(run(study, probe), WorkerEnd::kDone);
  EXPECT_GT(calls, 18);
}

TEST(Features, AProbeThatAlwaysFailsEndsTheWorker) {
  const StudySettings settings = with_spectra(8);
  const TestStudy study(settings);
  int attempts = 0;
  TestProbe broken(settings, [&](const std::string&) {
    ++attempts;
    throw std::runtime_error("no network");
  });
  EXPECT_EQ(message_of([&] { run(study, broken); }),
            "code 1: the measurement of features broke 9 times in a row; once it is fixed, 'search resume --retry' "
            "also takes up what was set aside. The last time: no network");
  EXPECT_EQ(attempts, 9);
  EXPECT_TRUE(study.store->workers().empty());
  // Three functions were set aside, and are not for ever.
  EXPECT_EQ(broken.all(*study.store).size(), 3u);
  EXPECT_EQ(study.store->retry_quarantined(), 3);
  TestProbe probe(settings);
  EXPECT_EQ(run(study, probe), WorkerEnd::kDone);
  for (const StudyFeatures& row : probe.all(*study.store)) EXPECT_TRUE(row.valid);
}

}  // namespace
}  // namespace actforge
