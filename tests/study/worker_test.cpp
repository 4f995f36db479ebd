// Workers on studies in SQLite, with evaluators that take no time.
#include "actforge/study/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/moments.h"
#include "actforge/search/settings/halving.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

TrialOutcome scored(double score) { return {.scores = {score}}; }

TEST(Worker, RunsAStudyToItsEnd) {
  const TestStudy study(quick_settings("random", 40));
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(study.settings);
  EXPECT_EQ(study.run(*evaluator), WorkerEnd::kDone);
  const TrialCounts counts = study.store->counts();
  EXPECT_EQ(counts.trials, 40);
  EXPECT_EQ(counts.completed + counts.failed, 40);
  EXPECT_GT(counts.completed, 0);
  std::set<std::string> functions;
  study.store->each([&](const Trial& trial) {
    EXPECT_TRUE(functions.insert(trial.plan.expression).second) << trial.plan.expression;
    EXPECT_EQ(trial.attempt, 1);
    EXPECT_EQ(trial.worker, "worker");
    EXPECT_EQ(trial.version, "1");
    EXPECT_EQ(trial.finish_order, trial.number);
    EXPECT_GE(trial.outcome.seconds, 0);
  });
  // There is nothing left to do.
  EXPECT_EQ(study.run(*evaluator), WorkerEnd::kDone);
  EXPECT_EQ(study.store->counts().trials, 40);
}

StudySettings mapped_settings() {
  StudySettings settings = quick_settings("aquasurf", 12);
  settings.options["pool"] = "300";
  settings.options["inputs"] = "50";
  return settings;
}

TEST(Worker, StopsWhileTheStrategyMakesItsMap) {
  const TestStudy study(mapped_settings()), calm(mapped_settings());
  const std::unique_ptr<Evaluator> evaluator = make_evaluator(study.settings);
  // Between trials it is asked a few times; this often only by what makes the map.
  for (const int questions : {100, 500, 1000}) {
    std::atomic<int> asked = 0;
    EXPECT_EQ(study.run(*evaluator, {.stop = [&] { return ++asked > questions; }}), WorkerEnd::kStopped);
    EXPECT_LE(asked, questions + 3);
    const TrialCounts counts = study.store->counts();
    EXPECT_EQ(counts.running + counts.queued, 0);
    EXPECT_LT(counts.trials, 12);
  }
  EXPECT_EQ(study.run(*evaluator), WorkerEnd::kDone);
  EXPECT_EQ(calm.run(*evaluator), WorkerEnd::kDone);
  EXPECT_EQ(study.store->counts().trials, 12);
  EXPECT_EQ(study.story(), calm.story());
}

TEST(Worker, TellsTheEvaluatorWhatItNeeds) {
  const TestStudy study(quick_settings("random", 5));
  study.run([&](const EvaluationRequest& request) {
    EXPECT_EQ(request.expression, study.trial(request.trial).plan.expression);
    EXPECT_EQ(request.run.seed, trial_seed(study.settings, request.trial));
    EXPECT_EQ(study.trial(request.trial).status(), TrialStatus::kRunning);
    EXPECT_FALSE(request.run.stopped());
    EXPECT_TRUE(request.report({.epoch = 1, .score = 0.5, .metrics = "{\"a\":1}"}));
    EXPECT_TRUE(request.report({.epoch = 2, .score = 0.6}));
    return scored(1);
  });
  const std::vector<CurvePoint> curve = study.store->curve(4);
  ASSERT_EQ(curve.size(), 2u);
  EXPECT_EQ(curve[0].metrics, "{\"a\":1}");
  EXPECT_EQ(curve[1].score, 0.6);
}

TEST(Worker, SeveralShareAStudy) {
  const TestStudy study(quick_settings("pangaea", 60));
  std::mutex mutex;
  std::map<std::string, int> evaluated;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::unique_ptr<Evaluator> distance = make_evaluator(study.settings);
      TestEvaluator evaluator([&](const EvaluationRequest& request) {
        const std::lock_guard lock(mutex);
        ++evaluated[request.expression];
        return distance->evaluate(request);
      });
      const WorkerName name = {.name = "worker" + std::to_string(i), .version = "1", .lease = 60};
      EXPECT_EQ(study.run(evaluator, {}, name), WorkerEnd::kDone);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(study.store->counts().completed + study.store->counts().failed, 60);
  EXPECT_EQ(evaluated.size(), 60u);
  for (const auto& [function, times] : evaluated) EXPECT_EQ(times, 1) << function;
}

TEST(Worker, AFunctionThatBreaksItIsSetAside) {
  const TestStudy study(quick_settings("random", 12));
  std::vector<std::uint64_t> seeds;
  EXPECT_EQ(study.run([&](const EvaluationRequest& request) {
    if (request.trial != 5) return scored(0.5);
    seeds.push_back(request.run.seed);
    throw Error(ErrorCode::kFailed, "this one breaks it");
  }),
            WorkerEnd::kDone);
  // A second attempt is the same question.
  EXPECT_EQ(seeds, std::vector<std::uint64_t>(3, seeds.at(0)));
  EXPECT_EQ(study.store->counts().completed, 11);
  EXPECT_EQ(study.store->counts().quarantined, 1);
  EXPECT_EQ(study.trial(5).status(), TrialStatus::kQuarantined);
  EXPECT_EQ(study.trial(5).attempt, 3);
  EXPECT_EQ(study.trial(5).outcome.reason, "this one breaks it");
}

TEST(Worker, ASecondAttemptMaySucceed) {
  const TestStudy study(quick_settings("random", 4));
  int evaluations = 0;
  study.run([&](const EvaluationRequest&) {
    if (++evaluations % 2 == 1) throw Error(ErrorCode::kFailed, "not at once");
    return scored(0.5);
  });
  EXPECT_EQ(study.store->counts().completed, 4);
  EXPECT_EQ(evaluations, 8);
  EXPECT_EQ(study.trial(3).attempt, 2);
  EXPECT_EQ(study.trial(3).outcome.reason, "");
}

TEST(Worker, AnEvaluatorThatNeverWorksIsAnError) {
  const TestStudy study(quick_settings("random", 40));
  const std::string message = message_of([&] {
    study.run([](const EvaluationRequest&) -> TrialOutcome { throw Error(ErrorCode::kFailed, "no such program"); });
  });
  EXPECT_EQ(
      message,
      "code 1: the evaluator broke 9 times in a row; once it is fixed, 'search resume --retry' also takes up what "
      "was set aside. The last time: no such program");
  EXPECT_EQ(study.store->counts().quarantined, 3);
  EXPECT_EQ(study.store->counts().running, 0);
}

TEST(Worker, TheNumberOfAttemptsMayChange) {
  TestStudy study(quick_settings("random", 3));
  study.settings.attempts = 1;
  int evaluations = 0;
  study.run([&](const EvaluationRequest& request) -> TrialOutcome {
    ++evaluations;
    if (request.trial == 1) throw Error(ErrorCode::kFailed, "broken");
    return scored(0.5);
  });
  EXPECT_EQ(evaluations, 3);
  EXPECT_EQ(study.trial(1).status(), TrialStatus::kQuarantined);
}

TEST(Worker, AStopGivesTheTrialBack) {
  const TestStudy study(quick_settings("random", 10));
  bool stop = false;
  TestEvaluator evaluator([&](const EvaluationRequest& request) -> TrialOutcome {
    if (request.trial < 3) return scored(0.5);
    stop = true;
    request.run.check();
    ADD_FAILURE() << "nobody said stop";
    return {};
  });
  EXPECT_EQ(study.run(evaluator, {.stop = [&] { return stop; }}), WorkerEnd::kStopped);
  EXPECT_EQ(study.store->counts().trials, 4);
  EXPECT_EQ(study.trial(3).status(), TrialStatus::kQueued);
  EXPECT_EQ(study.trial(3).attempt, 0);
  // Asked to stop from the start, it begins nothing.
  EXPECT_EQ(study.run(evaluator, {.stop = [] { return true; }}), WorkerEnd::kStopped);
  EXPECT_EQ(study.store->counts().trials, 4);
  EXPECT_EQ(study.run([](const EvaluationRequest&) { return scored(0.5); }), WorkerEnd::kDone);
  EXPECT_EQ(study.store->counts().completed, 10);
  EXPECT_EQ(study.trial(3).attempt, 1);
}

TEST(Worker, EndsWhenTheTimeIsUp) {
  StudySettings settings = quick_settings("random", 10);
  settings.time = "30m";
  const TestStudy study(settings);
  int evaluations = 0;
  study.run([&](const EvaluationRequest&) {
    if (++evaluations == 4) study.store->add_seconds(1800);
    return scored(0.5);
  });
  EXPECT_EQ(evaluations, 4);
  EXPECT_EQ(study.store->counts().trials, 4);
}

// Epochs until somebody says that it is enough.
TrialOutcome train(const EvaluationRequest& request, int epochs, double score) {
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    if (!request.report({.epoch = epoch, .score = score})) {
      return {
          .status = TrialStatus::kStopped, .scores = {score}, .metrics = "{\"epochs\":" + std::to_string(epoch) + "}"};
    }
  }
  return {.scores = {score}, .metrics = "{\"epochs\":" + std::to_string(epochs) + "}"};
}

StudySettings graceful(const std::string& strategy, std::uint64_t grace, const std::string& objective = "accuracy") {
  StudySettings settings = quick_settings(strategy, 4);
  settings.options["threshold"] = "0.3";
  settings.grace = grace;
  settings.objective = objective;
  return settings;
}

TEST(Worker, BelowTheThresholdAFunctionFails) {
  const TestStudy study(graceful("pangaea", 3));
  study.run([&](const EvaluationRequest& request) { return train(request, 9, request.trial == 2 ? 0.1 : 0.5); });
  EXPECT_EQ(study.store->counts().completed, 3);
  const Trial trial = study.trial(2);
  EXPECT_EQ(trial.status(), TrialStatus::kFailed);
  EXPECT_EQ(trial.outcome.reason, "below the threshold 0.3 after epoch 3");
  EXPECT_TRUE(trial.outcome.scores.empty());
  EXPECT_EQ(trial.outcome.metrics, "{\"epochs\":3}");
  EXPECT_EQ(study.store->curve(2).size(), 3u);
}

TEST(Worker, TheThresholdIsOfItsStrategyAndOfAccuracy) {
  for (const StudySettings& settings :
       {graceful("random", 3), graceful("pangaea", 0), graceful("pangaea", 3, "loss"), graceful("mutation", 3)}) {
    const TestStudy study(settings);
    study.run([](const EvaluationRequest& request) { return train(request, 9, 0.1); });
    EXPECT_EQ(study.store->counts().completed, 4) << settings.strategy << " " << settings.objective;
  }
}

TEST(Worker, HalvingStopsTheWorse) {
  StudySettings settings = quick_settings("random", 30);
  settings.halving = true;
  const TestStudy study(settings);
  std::map<int, std::vector<double>> at_epoch;  // what trials had, as far as they came
  std::vector<int> epochs;
  study.run([&](const EvaluationRequest& request) {
    const double score = static_cast<double>(request.trial * 7 % 11);
    int last = 0;
    for (int epoch = 1, on = 1; epoch <= 12 && on != 0; ++epoch) {
      last = epoch;
      on = static_cast<int>(!is_rung(settings, epoch) || goes_on(settings, score, at_epoch[epoch]));
      at_epoch[epoch].push_back(score);
    }
    epochs.push_back(last);
    return train(request, 12, score);
  });
  int stopped = 0;
  study.store->each([&](const Trial& trial) {
    const int last = epochs.at(static_cast<std::size_t>(trial.number));
    EXPECT_EQ(trial.outcome.metrics, "{\"epochs\":" + std::to_string(last) + "}") << trial.number;
    EXPECT_EQ(trial.status(), last < 12 ? TrialStatus::kStopped : TrialStatus::kCompleted) << trial.number;
    EXPECT_EQ(trial.outcome.reason, last < 12 ? "not among the best at epoch " + std::to_string(last) : "");
    EXPECT_EQ(trial.outcome.scores.size(), 1u);
    stopped += last < 12 ? 1 : 0;
  });
  EXPECT_GT(stopped, 5);
  EXPECT_LT(stopped, 30);
}

TEST(WorkerLease, ALateResultIsNotTaken) {
  const TestStudy study(quick_settings("random", 3));
  int evaluations = 0;
  study.run([&](const EvaluationRequest& request) {
    ++evaluations;
    if (request.trial != 1 || evaluations != 2) return scored(222);
    // An hour passes, and somebody notices.
    const auto later = [] {
      return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count() + 3600;
    };
    EXPECT_EQ(open_store(study.place, {.clock = later})->release_expired(), 1);
    return scored(111);
  });
  EXPECT_EQ(evaluations, 4);
  EXPECT_EQ(study.trial(1).outcome.scores, std::vector<double>{222});
  EXPECT_EQ(study.trial(1).attempt, 2);
  EXPECT_EQ(study.store->counts().completed, 3);
}

TEST(WorkerLease, AnotherOneMayHaveFinishedMeanwhile) {
  const TestStudy study(quick_settings("random", 3));
  study.run([&](const EvaluationRequest& request) {
    if (request.trial == 1) {
      EXPECT_EQ(study.store->release_dead("worker"), 1);
      ClaimRequest other = {.worker = {.name = "other", .version = "2", .lease = 60}};
      const Claim claim = study.store->claim(other, [](const auto&, std::int64_t) { return Proposal{}; });
      EXPECT_EQ(claim.trial.number, 1);
      EXPECT_TRUE(study.store->finish(claim.trial, other.worker, scored(222)));
    }
    return scored(111);
  });
  EXPECT_EQ(study.trial(1).outcome.scores, std::vector<double>{222});
  EXPECT_EQ(study.trial(1).worker, "other");
  EXPECT_EQ(study.trial(2).outcome.scores, std::vector<double>{111});
}

// With a short lease the heartbeat notices soon, and the evaluator is told to stop.
TEST(WorkerLease, AWorkerThatLostItsTrialGoesOnWithTheNext) {
  const TestStudy study(quick_settings("random", 3));
  bool lost = false;
  TestEvaluator evaluator([&](const EvaluationRequest& request) -> TrialOutcome {
    if (request.trial != 1 || lost) return scored(222);
    lost = true;
    EXPECT_EQ(study.store->release_dead("worker"), 1);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < limit) {
      request.run.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "nobody noticed";
    return {};
  });
  EXPECT_EQ(study.run(evaluator, {}, {.name = "worker", .version = "1", .lease = 1}), WorkerEnd::kDone);
  EXPECT_EQ(study.store->counts().completed, 3);
  EXPECT_EQ(study.trial(1).attempt, 2);
}

// The same functions in the same order, however often the study was stopped, between trials and within them.
class WorkerOrder : public testing::TestWithParam<std::string> {};

TEST_P(WorkerOrder, DoesNotDependOnInterruptions) {
  const std::string& strategy = GetParam();
  StudySettings settings = quick_settings(strategy, strategy == "cafe" ? 0 : 40);
  const TestStudy whole(settings), again(settings), pieces(settings);
  const std::unique_ptr<Evaluator> distance = make_evaluator(settings);
  EXPECT_EQ(whole.run(*distance), WorkerEnd::kDone);
  EXPECT_EQ(again.run(*distance), WorkerEnd::kDone);

  int evaluations = 0, runs = 0;
  bool stop = false;
  TestEvaluator evaluator([&](const EvaluationRequest& request) -> TrialOutcome {
    stop = ++evaluations % 5 == 0;
    if (evaluations % 10 == 0) request.run.check();
    return distance->evaluate(request);
  });
  for (WorkerEnd end = WorkerEnd::kStopped; end == WorkerEnd::kStopped && runs < 100; ++runs) {
    stop = false;
    end = pieces.run(evaluator, {.stop = [&] { return stop; }});
  }
  EXPECT_GT(runs, 4);
  EXPECT_LT(runs, 100);
  EXPECT_GE(whole.store->counts().trials, strategy == "cafe" ? 12 : 40);
  EXPECT_EQ(again.story(), whole.story());
  EXPECT_EQ(pieces.story(), whole.story());

  settings.seed = 6;
  const TestStudy other(settings);
  EXPECT_EQ(other.run(*distance), WorkerEnd::kDone);
  EXPECT_EQ(other.story() == whole.story(), strategy == "exhaustive");
}

// All but those that prepare the space, which take seconds to begin: tests of their own interrupt them.
std::vector<std::string> quick_strategies() {
  std::vector<std::string> names;
  for (const StrategyRow& row : strategies()) {
    if (row.prepare == nullptr) names.emplace_back(row.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Strategies, WorkerOrder, testing::ValuesIn(quick_strategies()), [](const auto& suite) {
  std::string name = suite.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

StudySettings noisy_settings(const std::string& strategy) {
  StudySettings settings = quick_settings(strategy, 60);
  settings.evaluator = "command";  // it varies
  settings.evaluate = {{"command", "true {expr}"}};
  settings.repeats = "auto";
  settings.preset = "standard";
  complete_settings(settings);
  return settings;
}

// A score of the function alone, with noise that depends on the seed.
TrialOutcome noisy(const EvaluationRequest& request) {
  Random function(std::hash<std::string>()(request.expression)), seed(request.run.seed);
  return {.scores = {0.5 + 0.3 * function.uniform() + 0.1 * seed.normal()}};
}

TEST(Repeats, AreAQuarterOfTheTrialsOfEveryStrategyThatRaces) {
  for (const StrategyRow& strategy : strategies()) {
    if (strategy.features != nullptr) continue;  // takes a network
    const TestStudy study(noisy_settings(std::string(strategy.name)));
    study.run(noisy);
    const TrialCounts counts = study.store->counts();
    if (!strategy.races) {
      EXPECT_EQ(counts.repeats, 0) << strategy.name;
      continue;
    }
    EXPECT_GE(counts.repeats, counts.trials / 5) << strategy.name;
    EXPECT_LE(counts.repeats, counts.trials / 4) << strategy.name;
  }
}

TEST(Repeats, HaveTheSameSeedsForAllFunctions) {
  const TestStudy study(noisy_settings("pangaea"));
  study.run(noisy);
  std::map<std::string, std::set<std::uint64_t>> seeds;
  std::set<std::int64_t> repeated;
  study.store->each([&](const Trial& trial) {
    if (!trial.plan.is_repeat()) return;
    const std::string& key = trial.plan.key;
    seeds[key.substr(key.find('#'))].insert(trial.plan.seed);
    repeated.insert(trial.plan.repeat_of);
    EXPECT_EQ(trial.plan.expression, study.trial(trial.plan.repeat_of).plan.expression);
    EXPECT_NE(trial.plan.seed, study.trial(trial.plan.repeat_of).plan.seed);
  });
  EXPECT_GE(repeated.size(), 3u);
  EXPECT_GE(seeds.size(), 3u);
  for (const auto& [n, values] : seeds) EXPECT_EQ(values.size(), 1u) << n;
}

// Wherever a lone worker stops, the one after it goes on as if nothing had happened, repeats included.
void check_going_on(const std::string& strategy) {
  const TestStudy whole(noisy_settings(strategy));
  whole.run(noisy);
  const TestStudy study(noisy_settings(strategy));
  for (int part = 0; part < 100 && study.store->counts().over() < 60; ++part) {
    int left = 7;
    TestEvaluator evaluator([&](const EvaluationRequest& request) {
      --left;
      return noisy(request);
    });
    study.run(evaluator, {.stop = [&] { return left <= 0; }});
  }
  EXPECT_EQ(study.story(), whole.story()) << strategy;
  EXPECT_GT(whole.store->counts().repeats, 5) << strategy;
}

TEST(Repeats, GoOnAfterAStop) {
  for (const char* strategy : {"random", "pangaea", "cafe"}) check_going_on(strategy);
}

// Repeats are whole trainings, and no rivals of those that are new.
TEST(Repeats, AreNotHalved) {
  StudySettings settings = noisy_settings("random");
  settings.halving = true;
  settings.first_rung = 1;
  const TestStudy study(settings);
  study.run([](const EvaluationRequest& request) {
    TrialOutcome outcome = noisy(request);
    if (!request.report({.epoch = 1, .score = outcome.scores[0]})) outcome.status = TrialStatus::kStopped;
    return outcome;
  });
  std::int64_t stopped = 0;
  study.store->each([&](const Trial& trial) {
    stopped += trial.status() == TrialStatus::kStopped ? 1 : 0;
    if (trial.plan.is_repeat()) {
      EXPECT_EQ(trial.status(), TrialStatus::kCompleted) << trial.number;
    }
  });
  EXPECT_GT(stopped, 5);
  EXPECT_EQ(study.store->scores_at(1, -1).size(),
            static_cast<std::size_t>(study.store->counts().trials - study.store->counts().repeats));
}

TEST(Repeats, AreOffWhereTheyAreOfNoUse) {
  EXPECT_EQ(quick_settings("pangaea", 10).repeats, "0");  // the evaluator gives the same score every time
  StudySettings settings = noisy_settings("pangaea");
  settings.repeats = "auto";
  settings.preset = "paper";
  complete_settings(settings);
  EXPECT_EQ(settings.repeats, "0");
  settings.evaluator = "distance";
  settings.evaluate = {{"target", "tanh(x)"}};
  settings.repeats = "0.5";
  EXPECT_THROW(complete_settings(settings), Error);
}

// A study of a version that knew none goes on without.
TEST(Repeats, AnOldStudyHasNone) {
  const TestStudy study(noisy_settings("pangaea"));
  std::string settings = study.store->header().settings;
  const std::size_t at = settings.find("repeats = ");
  settings.erase(at, settings.find('\n', at) - at + 1);
  study.store->keep_settings(settings);
  EXPECT_EQ(open_study(study.place).settings.repeats, "0");
}

TEST(Repeats, ComeOnTopOfWhatAStrategyNeeds) {
  StudySettings settings = noisy_settings("cafe");
  settings.trials = 0;
  settings.repeats = "0";
  complete_settings(settings);
  const std::uint64_t functions = settings.trials;
  settings.trials = 0;
  settings.repeats = "0.25";
  complete_settings(settings);
  EXPECT_EQ(settings.trials, (functions * 4 + 2) / 3);
}

TEST(NormalFormStudy, IsNotForTables) {
  StudySettings settings = quick_settings("random", 3);
  settings.evaluator = "table";
  settings.evaluate = {{"table", "t.csv"}};
  settings.normal_form = "scale";
  EXPECT_THROW(complete_settings(settings), Error);
}

TEST(NormalFormStudy, EvaluatesShapes) {
  StudySettings settings = quick_settings("random", 30);
  settings.normal_form = "scale";
  const TestStudy study(settings);
  study.run([&](const EvaluationRequest& request) {
    EXPECT_NEAR(gaussian_moments(Reference(request.function)).second_moment, 1, 1e-5) << request.expression;
    EXPECT_EQ(request.expression, to_call(request.function));
    return TrialOutcome{.scores = {0.5}};
  });
  // No two of them differ by a factor.
  const FunctionKeys keys(Sameness::kScale);
  std::set<std::string> shapes;
  std::int64_t failed = 0;
  study.store->each([&](const Trial& trial) {
    EXPECT_TRUE(shapes.insert(keys(parse(trial.plan.expression)).fingerprint).second) << trial.plan.expression;
    if (trial.status() != TrialStatus::kFailed) return;
    ++failed;
    EXPECT_TRUE(trial.outcome.reason.find("no normal form") != std::string::npos) << trial.outcome.reason;
  });
  EXPECT_LT(failed, 30);
}

}  // namespace
}  // namespace actforge
