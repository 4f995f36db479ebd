// What a store keeps and gives back.
#include <cmath>
#include <limits>
#include <set>

#include "tests/store/store_helpers.h"

namespace actforge {
namespace {

// For the tests of the other files as well.
INSTANTIATE_TEST_SUITE_P(Backends, StoreTest, testing::ValuesIn(store_backends()), backend_name);

TEST_P(StoreTest, IsThereOnceItWasMade) {
  EXPECT_TRUE(store_exists(at.place));
  const StudyHeader header = at.open()->header();
  EXPECT_EQ(header.settings, test_header().settings);
  EXPECT_EQ(header.version, test_header().version);
  EXPECT_EQ(header.created, test_header().created);
  EXPECT_NE(message_of([&] { at.create(); }).find("is a study already"), std::string::npos);
  EXPECT_EQ(at.open()->header().settings, test_header().settings);
}

TEST_P(StoreTest, SettingsMayChange) {
  store->keep_settings("seed = 8\n");
  const StudyHeader header = at.open()->header();
  EXPECT_EQ(header.settings, "seed = 8\n");
  EXPECT_EQ(header.version, test_header().version);
}

TEST_P(StoreTest, RunsComeBackAsTheyWere) {
  EXPECT_TRUE(store->run_groups().empty());
  StudyRun run = {.group = "final, süß", .expression = "relu(x)", .key = "k", .repeat = 2};
  run.seed = std::numeric_limits<std::uint64_t>::max() - 5;
  run.outcome = {.scores = {0.1, -1e-300}, .reason = "why", .metrics = R"({"a":[1]})", .seconds = 8.5};
  run.version = "7";
  at.time = 5001.25;
  EXPECT_TRUE(store->add_run(run));
  StudyRun other = run;
  other.repeat = 0;
  other.outcome = {.status = TrialStatus::kFailed, .reason = "diverged"};
  EXPECT_TRUE(store->add_run(other));
  other.group = "another";
  EXPECT_TRUE(store->add_run(other));
  // The same once more: what was there stays.
  StudyRun twice = run;
  twice.outcome.scores = {9};
  EXPECT_FALSE(store->add_run(twice));

  const std::unique_ptr<Store> again = at.open();
  EXPECT_EQ(again->run_groups(), (std::vector<std::string>{"final, süß", "another"}));
  const std::vector<StudyRun> runs = again->runs(run.group);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].expression, "relu(x)");
  EXPECT_EQ(runs[0].key, "k");
  EXPECT_EQ(runs[0].repeat, 2);
  EXPECT_EQ(runs[0].seed, run.seed);
  EXPECT_EQ(runs[0].outcome.scores, run.outcome.scores);
  EXPECT_EQ(runs[0].outcome.metrics, run.outcome.metrics);
  EXPECT_EQ(runs[0].outcome.seconds, 8.5);
  EXPECT_EQ(runs[0].version, "7");
  EXPECT_EQ(runs[0].finished, 5001.25);
  EXPECT_EQ(runs[1].outcome.status, TrialStatus::kFailed);
  EXPECT_EQ(runs[1].outcome.reason, "diverged");
  EXPECT_TRUE(again->runs("none").empty());
}

TEST_P(StoreTest, FeaturesComeBackAsTheyWere) {
  EXPECT_TRUE(store->feature_groups().empty());
  StudyFeatures some = {.group = "fisher, süß", .expression = "relu(x)", .key = "k"};
  for (int i = 0; i < 14'000; ++i) some.values.push_back(i < 9000 ? 0.0f : 1.0f / static_cast<float>(i));
  some.noise = 0.25;
  some.seconds = 4.5;
  some.version = "7";
  EXPECT_TRUE(store->add_features(some));
  const StudyFeatures none = {
      .group = some.group, .expression = "exp(x)", .key = "l", .valid = false, .reason = "it explodes"};
  EXPECT_TRUE(store->add_features(none));
  StudyFeatures twice = some;
  twice.values = {1};
  EXPECT_FALSE(store->add_features(twice));  // what was there stays

  const std::unique_ptr<Store> again = at.open();
  EXPECT_EQ(again->feature_groups(), std::vector<std::string>{some.group});
  EXPECT_EQ(again->feature_keys(some.group), (std::vector<std::string>{"k", "l"}));
  EXPECT_TRUE(again->feature_keys("none").empty());
  std::int64_t seen = 0;
  const std::vector<StudyFeatures> list = again->features(some.group, seen);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].expression, "relu(x)");
  EXPECT_EQ(list[0].key, "k");
  EXPECT_TRUE(list[0].valid);
  EXPECT_EQ(list[0].values, some.values);
  EXPECT_EQ(list[0].noise, 0.25);
  EXPECT_EQ(list[0].seconds, 4.5);
  EXPECT_EQ(list[0].version, "7");
  EXPECT_FALSE(list[1].valid);
  EXPECT_EQ(list[1].reason, "it explodes");
  EXPECT_TRUE(list[1].values.empty());
  // Who knows these is told only what comes after.
  EXPECT_TRUE(again->features(some.group, seen).empty());
  some.key = "m";
  EXPECT_TRUE(store->add_features(some));
  EXPECT_EQ(again->features(some.group, seen).size(), 1u);
}

TEST_P(StoreTest, FeaturesThatCannotBeAreRefused) {
  StudyFeatures features = {.group = "fisher", .expression = "relu(x)", .key = "k"};
  EXPECT_THROW(store->add_features(features), Error);  // valid without numbers
  features.values = {std::nanf("")};
  EXPECT_THROW(store->add_features(features), Error);
  features = {.group = "fisher", .key = "k", .valid = false, .values = {1}};
  EXPECT_THROW(store->add_features(features), Error);
  features = {.group = "", .key = "k", .values = {1}};
  EXPECT_THROW(store->add_features(features), Error);
  EXPECT_TRUE(store->feature_groups().empty());
}

TEST_P(StoreTest, RunsThatCannotBeAreRefused) {
  StudyRun run = {.group = "final", .expression = "relu(x)", .key = "k"};
  EXPECT_THROW(store->add_run(run), Error);  // completed without a score
  run.outcome.scores = {std::nan("")};
  EXPECT_THROW(store->add_run(run), Error);
  run.outcome = {.status = TrialStatus::kRunning, .scores = {1}};
  EXPECT_THROW(store->add_run(run), Error);
  run.outcome = {.scores = {1}};
  run.key = "";
  EXPECT_THROW(store->add_run(run), Error);
  EXPECT_TRUE(store->run_groups().empty());
}

TEST_P(StoreTest, ATrialComesBackAsItWas) {
  take("w");
  take("w");
  TrialPlan plan = test_plan(2);
  plan.parents = {0, 1};
  plan.origin = "cross";
  plan.story = {"took \"the\" left of 0", "süß\n", std::string("nul\0byte", 8)};
  plan.generation = 4;
  plan.hyperparameters = {{"rate", "0.01"}, {"süß", "\"a\""}};
  plan.refused = 7;
  plan.seed = std::numeric_limits<std::uint64_t>::max() - 5;
  ClaimRequest request = {.worker = worker_of("w2"), .budget = 10};
  at.time = 5001.25;
  const Trial claimed = store->claim(request, propose_plan(plan)).trial;
  at.time = 5009.75;
  const TrialOutcome outcome = {.status = TrialStatus::kStopped,
                                .scores = {0.1, -1e-300, 1.0 / 3},
                                .reason = "slow",
                                .metrics = R"({"a":[1,2]})",
                                .seconds = 8.5};
  ASSERT_TRUE(store->finish(claimed, worker_of("w2"), outcome));

  const Trial trial = at.open()->find(2).value();
  EXPECT_EQ(trial.number, 2);
  EXPECT_EQ(trial.plan.expression, plan.expression);
  EXPECT_EQ(trial.plan.key, plan.key);
  EXPECT_EQ(trial.plan.fingerprint, plan.fingerprint);
  EXPECT_EQ(trial.plan.parents, plan.parents);
  EXPECT_EQ(trial.plan.origin, plan.origin);
  EXPECT_EQ(trial.plan.story, plan.story);
  EXPECT_EQ(trial.plan.generation, plan.generation);
  EXPECT_EQ(trial.plan.hyperparameters, plan.hyperparameters);
  EXPECT_EQ(trial.plan.refused, 7);
  EXPECT_EQ(trial.plan.seed, plan.seed);
  EXPECT_EQ(trial.status(), TrialStatus::kStopped);
  EXPECT_EQ(trial.outcome.scores, outcome.scores);
  EXPECT_EQ(trial.outcome.reason, outcome.reason);
  EXPECT_EQ(trial.outcome.metrics, outcome.metrics);
  EXPECT_EQ(trial.outcome.seconds, outcome.seconds);
  EXPECT_EQ(trial.attempt, 1);
  EXPECT_EQ(trial.worker, "w2");
  EXPECT_EQ(trial.version, "2.0");
  EXPECT_EQ(trial.finish_order, 0);
  EXPECT_EQ(trial.asked, 5001.25);
  EXPECT_EQ(trial.finished, 5009.75);
  EXPECT_FALSE(store->find(3));
  EXPECT_FALSE(store->find(-1));
}

TEST_P(StoreTest, StatusesHaveNames) {
  for (const char* name : {"queued", "running", "completed", "stopped", "failed", "quarantined"}) {
    EXPECT_EQ(trial_status_name(trial_status(name)), name);
  }
  EXPECT_EQ(message_of([] { trial_status("done"); }), "code 4: there is no status 'done' of a trial");
}

TEST_P(StoreTest, CountsTrialsByStatus) {
  for (const TrialStatus status :
       {TrialStatus::kCompleted, TrialStatus::kCompleted, TrialStatus::kStopped, TrialStatus::kFailed}) {
    TrialOutcome outcome = scored(1);
    outcome.status = status;
    EXPECT_TRUE(store->finish(take("w"), worker_of("w"), outcome));
  }
  take("w");
  const Trial given_back = take("w2");
  store->release(given_back, worker_of("w2"), "");
  TrialCounts counts = store->counts();
  EXPECT_EQ(counts.trials, 6);
  EXPECT_EQ(counts.queued, 1);
  EXPECT_EQ(counts.running, 1);
  EXPECT_EQ(counts.completed, 2);
  EXPECT_EQ(counts.stopped, 1);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.quarantined, 0);
  EXPECT_EQ(counts.over(), 4);
}

TEST_P(StoreTest, CountsRefusedFunctions) {
  EXPECT_EQ(store->counts().refused, 0);
  ClaimRequest request = {.worker = worker_of("w"), .budget = 10};
  for (const std::int64_t refused : {3, 0, 4}) {
    TrialPlan plan = test_plan(100 + refused);
    plan.refused = refused;
    store->claim(request, propose_plan(plan));
  }
  EXPECT_EQ(store->counts().refused, 7);
  EXPECT_EQ(store->counts().trials, 3);
  TrialPlan plan = test_plan(1);
  plan.refused = -1;
  EXPECT_THROW(store->claim(request, propose_plan(plan)), Error);
}

TEST_P(StoreTest, TellsChangesOnce) {
  std::int64_t seen = 0;
  EXPECT_TRUE(store->changes(seen).empty());
  const Trial first = take("w"), second = take("w");
  EXPECT_EQ(numbers_of(store->changes(seen)), (std::vector<std::int64_t>{0, 1}));
  EXPECT_TRUE(store->changes(seen).empty());
  store->finish(second, worker_of("w"), scored(1));
  store->finish(first, worker_of("w"), scored(2));
  take("w");
  const std::vector<Trial> changes = store->changes(seen);
  EXPECT_EQ(numbers_of(changes), (std::vector<std::int64_t>{1, 0, 2}));
  EXPECT_EQ(changes[0].finish_order, 0);
  EXPECT_EQ(changes[1].finish_order, 1);
  EXPECT_TRUE(store->changes(seen).empty());
  std::int64_t from_the_start = 0;
  EXPECT_EQ(at.open()->changes(from_the_start).size(), 3u);
  EXPECT_EQ(from_the_start, seen);
}

TEST_P(StoreTest, ASignOfLifeIsNotAChange) {
  const Trial trial = take("w");
  std::int64_t seen = 0;
  store->changes(seen);
  EXPECT_TRUE(store->beat(trial, worker_of("w")));
  store->add_point(trial, worker_of("w"), {.epoch = 1, .score = 0.5});
  EXPECT_TRUE(store->changes(seen).empty());
}

TEST_P(StoreTest, BestFirst) {
  for (const double score : {0.5, 0.9, 0.7, 0.9, -3.0}) {
    store->finish(take("w"), worker_of("w"), scored(score));
  }
  TrialOutcome stopped = scored(99);
  stopped.status = TrialStatus::kStopped;
  store->finish(take("w"), worker_of("w"), stopped);
  EXPECT_EQ(numbers_of(store->top(3)), (std::vector<std::int64_t>{1, 3, 2}));
  EXPECT_EQ(numbers_of(store->top(100)), (std::vector<std::int64_t>{1, 3, 2, 0, 4}));
  EXPECT_TRUE(store->top(0).empty());
}

TEST_P(StoreTest, KeepsRepeats) {
  store->finish(take("w"), worker_of("w"), scored(0.5));
  ClaimRequest request = {.worker = worker_of("w"), .budget = 10};
  TrialPlan plan = {.expression = "relu(x)*0", .key = repeat_key("key0", 1), .origin = "repeat"};
  plan.repeat_of = 0;
  const Claim claim = store->claim(request, propose_plan(plan));
  ASSERT_EQ(claim.kind, Claim::Kind::kTrial);
  EXPECT_EQ(claim.trial.plan.repeat_of, 0);
  EXPECT_TRUE(claim.trial.plan.fingerprint.empty());
  store->finish(claim.trial, worker_of("w"), scored(0.9));
  EXPECT_EQ(store->find(1).value().plan.repeat_of, 0);
  EXPECT_FALSE(store->find(0).value().plan.is_repeat());
  // It counts as a trial of the budget, but is none of the best functions.
  EXPECT_EQ(store->counts().trials, 2);
  EXPECT_EQ(store->counts().repeats, 1);
  EXPECT_EQ(numbers_of(store->top(10)), std::vector<std::int64_t>{0});
  // Two workers that want the same repeat: one gets it.
  const Claim late = store->claim(request, propose_plan(plan));
  EXPECT_EQ(late.kind, Claim::Kind::kDuplicate);
  EXPECT_EQ(late.duplicate, 1);
  plan.key = repeat_key("key0", 2);
  plan.repeat_of = 2;
  EXPECT_THROW(store->claim(request, propose_plan(plan)), Error);
}

TEST_P(StoreTest, VisitsEveryTrialInOrder) {
  constexpr std::int64_t kTrials = 2001;  // more than two portions
  for (std::int64_t i = 0; i < kTrials; ++i) take("w");
  std::int64_t next = 0;
  store->each([&](const Trial& trial) {
    EXPECT_EQ(trial.number, next);
    ++next;
    if (next == 5) store->finish(trial, worker_of("w"), scored(1));  // the visitor may use the store
  });
  EXPECT_EQ(next, kTrials);
  EXPECT_EQ(store->counts().completed, 1);
}

TEST_P(StoreTest, KeepsLearningCurves) {
  const Trial first = take("w"), second = take("w"), third = take("w");
  for (int epoch = 3; epoch >= 1; --epoch) {
    store->add_point(first, worker_of("w"), {.epoch = epoch, .score = epoch / 10.0, .metrics = "{}"});
    store->add_point(third, worker_of("w"), {.epoch = epoch, .score = epoch / 5.0});
  }
  store->add_point(first, worker_of("w"), {.epoch = 3, .score = 0.25, .metrics = R"({"loss":1})"});
  const std::vector<CurvePoint> curve = store->curve(0);
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].epoch, 1);
  EXPECT_EQ(curve[2].score, 0.25);
  EXPECT_EQ(curve[2].metrics, R"({"loss":1})");
  EXPECT_TRUE(store->curve(second.number).empty());
  EXPECT_TRUE(store->curve(77).empty());
  EXPECT_EQ(store->scores_at(3, -1), (std::vector<double>{0.25, 0.6}));
  EXPECT_EQ(store->scores_at(3, first.number), (std::vector<double>{0.6}));
  EXPECT_TRUE(store->scores_at(4, -1).empty());
}

TEST_P(StoreTest, RemembersTimeAndEvents) {
  EXPECT_EQ(store->seconds(), 0);
  store->add_seconds(1.5);
  at.open()->add_seconds(2);
  EXPECT_EQ(store->seconds(), 3.5);
  EXPECT_TRUE(store->events().empty());
  store->add_event("resumed", "by hand");
  at.time = 6000;
  store->add_event("test set used", "");
  const std::vector<StudyEvent> events = at.open()->events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "resumed");
  EXPECT_EQ(events[0].text, "by hand");
  EXPECT_EQ(events[0].time, 5000);
  EXPECT_EQ(events[1].time, 6000);
}

TEST_P(StoreTest, RefusesWhatIsNoResult) {
  const Trial trial = take("w");
  const auto refused = [&](const TrialOutcome& outcome) {
    return message_of([&] { store->finish(trial, worker_of("w"), outcome); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused(scored(nan)), "code 1: trial 0: its score nan is not a finite number");
  EXPECT_EQ(refused({.scores = {1, infinity}}), "code 1: trial 0: its score inf is not a finite number");
  EXPECT_EQ(refused({.status = TrialStatus::kFailed, .seconds = nan}),
            "code 1: trial 0: its time is not a finite number");
  EXPECT_EQ(refused({}), "code 1: trial 0: it is completed, but has no score");
  EXPECT_EQ(refused({.status = TrialStatus::kRunning}), "code 1: trial 0: 'running' is not the status of a result");
  for (const char* metrics : {"[1]", "{", "{} {}", "x{}", "1"}) {
    EXPECT_EQ(refused({.scores = {1}, .metrics = metrics}),
              std::string("code 1: trial 0: its metrics are not a JSON object: ") + metrics);
  }
  EXPECT_EQ(message_of([&] { store->add_point(trial, worker_of("w"), {.epoch = 3, .score = nan}); }),
            "code 1: trial 0: its score in epoch 3 is not a finite number");
  EXPECT_EQ(message_of([&] { store->add_seconds(nan); }), "code 1: the time worked is not a finite number");
  EXPECT_EQ(found(0).status(), TrialStatus::kRunning);
  EXPECT_TRUE(store->curve(0).empty());
}

TEST_P(StoreTest, RefusesWhatIsNoOption) {
  StoreOptions options = at.options;
  options.attempts = 0;
  EXPECT_EQ(message_of([&] { open_store(at.place, options); }), "code 2: a trial needs at least one attempt");
  EXPECT_EQ(message_of([&] { take(""); }), "code 1: a worker needs a name");
}

}  // namespace
}  // namespace actforge
