// Who gets which trial, and what becomes of it.
#include "tests/store/store_helpers.h"

namespace actforge {
namespace {

using Numbers = std::vector<std::int64_t>;

// Answers with `kind` and `plan`, and remembers what it was told.
struct Asked {
  Proposal answer = {};
  std::vector<Numbers> told = {};
  Numbers numbers = {};

  Proposer proposer() {
    return [this](const std::vector<Trial>& changes, std::int64_t number) {
      told.push_back(numbers_of(changes));
      numbers.push_back(number);
      return answer;
    };
  }
};

TEST_P(StoreTest, NumbersTrialsInOrder) {
  for (std::int64_t i = 0; i < 5; ++i) {
    const Trial trial = take("w");
    EXPECT_EQ(trial.number, i);
    EXPECT_EQ(trial.status(), TrialStatus::kRunning);
    EXPECT_EQ(trial.attempt, 1);
    EXPECT_EQ(trial.worker, "w");
    EXPECT_EQ(trial.version, "2.0");
    EXPECT_EQ(trial.asked, 5000);
  }
  EXPECT_EQ(store->workers(), (std::vector<std::string>{"w"}));
}

TEST_P(StoreTest, EveryChangeIsToldExactlyOnce) {
  Asked asked = {.answer = {.plan = test_plan(0)}};
  ClaimRequest request = {.worker = worker_of("w"), .budget = 100};
  const Trial first = store->claim(request, asked.proposer()).trial;
  asked.answer = {.kind = Proposal::Kind::kWait};
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kWait);  // its own trial is news too
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kWait);
  const std::unique_ptr<Store> other = at.open();
  ClaimRequest of_other = {.worker = worker_of("o"), .budget = 100};
  const Trial second = other->claim(of_other, propose_plan(test_plan(1))).trial;
  asked.answer = {.plan = test_plan(0)};
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kDuplicate);
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kDuplicate);
  other->finish(second, worker_of("o"), scored(1));
  asked.answer = {.kind = Proposal::Kind::kFinished};
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kFinished);
  asked.answer = {.plan = test_plan(2)};
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kTrial);
  EXPECT_EQ(asked.told, (std::vector<Numbers>{{}, {0}, {}, {1}, {}, {1}, {}}));
  EXPECT_EQ(asked.numbers, (Numbers{0, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(store->counts().trials, 3);
}

TEST_P(StoreTest, ClaimsWithoutAProposalLoseNoChange) {
  ClaimRequest request = {.worker = worker_of("w"), .budget = 2};
  take("other");
  store->release(take("gone"), worker_of("gone"), "");
  EXPECT_EQ(store->claim(request, propose_never()).kind, Claim::Kind::kTrial);   // the queued one
  EXPECT_EQ(store->claim(request, propose_never()).kind, Claim::Kind::kBudget);  // there are two
  request.budget = 3;
  Asked asked = {.answer = {.kind = Proposal::Kind::kWait}};
  store->claim(request, asked.proposer());
  EXPECT_EQ(asked.told, (std::vector<Numbers>{{0, 1}}));
}

TEST_P(StoreTest, WhatAProposerThrowsPassesThrough) {
  take("w");
  ClaimRequest request = {.worker = worker_of("w"), .budget = 100};
  struct Odd : std::exception {};
  EXPECT_THROW(store->claim(request, [](const std::vector<Trial>&, std::int64_t) -> Proposal { throw Odd(); }), Odd);
  EXPECT_EQ(request.seen, 0);
  EXPECT_EQ(store->counts().trials, 1);
  Asked asked = {.answer = {.plan = test_plan(1)}};
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kTrial);  // no lock is left behind
  EXPECT_EQ(asked.told, (std::vector<Numbers>{{0}}));
}

TEST_P(StoreTest, AProposerMayRead) {
  take("w");
  ClaimRequest request = {.worker = worker_of("w"), .budget = 100};
  const Claim claim = store->claim(request, [&](const std::vector<Trial>&, std::int64_t number) {
    EXPECT_EQ(found(0).plan.key, "key0");
    EXPECT_EQ(store->counts().trials, 1);
    return Proposal{.plan = test_plan(number)};
  });
  EXPECT_EQ(claim.trial.number, 1);
}

TEST_P(StoreTest, AProposalMustBeATrial) {
  ClaimRequest request = {.worker = worker_of("w"), .budget = 100};
  EXPECT_EQ(message_of([&] { store->claim(request, propose_plan({.expression = "x"})); }),
            "code 1: trial 0: it has no key");
  EXPECT_EQ(message_of([&] { store->claim(request, propose_plan({.key = "a", .parents = {0}})); }),
            "code 1: trial 0: its parent 0 is not an earlier trial");
  EXPECT_EQ(store->counts().trials, 0);
}

TEST_P(StoreTest, WhatIsPutInFrontIsNextWhateverTheBudget) {
  take("a");
  const auto plan = [](std::int64_t number) { return test_plan(number); };
  const Enqueued first = store->enqueue(plan), second = store->enqueue(plan);
  EXPECT_TRUE(first.is_new && second.is_new);
  EXPECT_EQ(first.number, 1);
  EXPECT_EQ(store->counts().queued, 2);
  ClaimRequest request = {.worker = worker_of("b"), .budget = 1};
  const Trial trial = store->claim(request, propose_never()).trial;
  EXPECT_EQ(trial.number, 1);
  EXPECT_EQ(trial.attempt, 1);
  EXPECT_EQ(trial.plan.key, "key1");
  EXPECT_EQ(at.open()->release_dead("b"), 1);  // killed: it is still next
  EXPECT_EQ(store->claim(request, propose_never()).trial.number, 1);
  EXPECT_EQ(store->claim(request, propose_never()).trial.number, 2);
  EXPECT_EQ(store->claim(request, propose_never()).kind, Claim::Kind::kBudget);
}

TEST_P(StoreTest, WhatIsKnownIsNotPutInFront) {
  take("a");
  for (const TrialPlan& equal : {TrialPlan{.expression = "x", .key = "key0"},
                                 TrialPlan{.expression = "x", .key = "other", .fingerprint = "values0"}}) {
    const Enqueued result = store->enqueue([&](std::int64_t) { return equal; });
    EXPECT_FALSE(result.is_new);
    EXPECT_EQ(result.number, 0);
  }
  EXPECT_EQ(store->counts().trials, 1);
  EXPECT_EQ(message_of([&] { store->enqueue([](std::int64_t) { return TrialPlan{.expression = "x"}; }); }),
            "code 1: trial 1: it has no key");
}

// Somebody else's trial came in between.
TEST_P(StoreTest, WhatIsPutInFrontKnowsItsNumber) {
  std::vector<std::int64_t> asked;
  const Enqueued result = store->enqueue([&](std::int64_t number) {
    if (asked.empty()) take("quick");
    asked.push_back(number);
    return test_plan(number);
  });
  EXPECT_EQ(asked, (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(result.number, 1);
}

TEST_P(StoreTest, EqualFunctionsAreRefused) {
  ClaimRequest request = {.worker = worker_of("w"), .budget = 100};
  const auto offer = [&](const std::string& key, const std::string& fingerprint) {
    return store->claim(request, propose_plan({.expression = "x", .key = key, .fingerprint = fingerprint}));
  };
  EXPECT_EQ(offer("a", "1").kind, Claim::Kind::kTrial);
  EXPECT_EQ(offer("b", "").kind, Claim::Kind::kTrial);
  EXPECT_EQ(offer("c", "").kind, Claim::Kind::kTrial);  // without a fingerprint nothing is equal
  EXPECT_EQ(offer("b", "2").kind, Claim::Kind::kDuplicate);
  EXPECT_EQ(offer("b", "2").duplicate, 1);
  EXPECT_EQ(offer("d", "1").kind, Claim::Kind::kDuplicate);
  EXPECT_EQ(offer("d", "1").duplicate, 0);
  EXPECT_EQ(store->counts().trials, 3);
}

TEST_P(StoreTest, TheBudgetIsTheStudysNotTheWorkers) {
  const std::unique_ptr<Store> other = at.open();
  ClaimRequest mine = {.worker = worker_of("a"), .budget = 3}, theirs = {.worker = worker_of("b"), .budget = 3};
  EXPECT_EQ(store->claim(mine, propose_next()).kind, Claim::Kind::kTrial);
  EXPECT_EQ(other->claim(theirs, propose_next()).kind, Claim::Kind::kTrial);
  EXPECT_EQ(store->claim(mine, propose_next()).kind, Claim::Kind::kTrial);
  EXPECT_EQ(other->claim(theirs, propose_never()).kind, Claim::Kind::kBudget);
  EXPECT_EQ(store->claim(mine, propose_never()).kind, Claim::Kind::kBudget);
  EXPECT_EQ(store->workers(), (std::vector<std::string>{"a", "b"}));
}

TEST_P(StoreTest, AResultIsTakenOnce) {
  const Trial trial = take("w");
  EXPECT_FALSE(store->finish(trial, worker_of("other"), scored(5)));
  EXPECT_TRUE(store->finish(trial, worker_of("w"), scored(1)));
  EXPECT_FALSE(store->finish(trial, worker_of("w"), scored(2)));
  EXPECT_FALSE(store->beat(trial, worker_of("w")));
  store->release(trial, worker_of("w"), "too late");
  store->add_point(trial, worker_of("w"), {.epoch = 1, .score = 1});
  EXPECT_TRUE(store->curve(0).empty());
  EXPECT_EQ(found(0).outcome.scores, std::vector<double>{1});
  EXPECT_EQ(found(0).outcome.reason, "");
  EXPECT_EQ(found(0).finish_order, 0);
  Trial unknown = trial;
  unknown.number = 99;
  EXPECT_FALSE(store->finish(unknown, worker_of("w"), scored(2)));
}

TEST_P(StoreTest, ACleanStopIsNoAttempt) {
  for (int i = 0; i < 10; ++i) {
    const Trial trial = take("w" + std::to_string(i));
    EXPECT_EQ(trial.number, 0);
    EXPECT_EQ(trial.attempt, 1);
    store->release(trial, worker_of(trial.worker), "");
    EXPECT_EQ(found(0).status(), TrialStatus::kQueued);
  }
  EXPECT_TRUE(store->workers().empty());
}

TEST_P(StoreTest, ThreeBrokenAttemptsAreEnough) {
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const Trial trial = take("w");
    EXPECT_EQ(trial.number, 0);
    EXPECT_EQ(trial.attempt, attempt);
    at.time += 1;
    store->release(trial, worker_of("w"), "out of memory");
  }
  const Trial trial = found(0);
  EXPECT_EQ(trial.status(), TrialStatus::kQuarantined);
  EXPECT_EQ(trial.outcome.reason, "out of memory");
  EXPECT_EQ(trial.finish_order, 0);
  EXPECT_EQ(trial.finished, 5003);
  EXPECT_EQ(take("w").number, 1);
}

TEST_P(StoreTest, TheLowestQueuedNumberGoesFirst) {
  const Trial a = take("a"), b = take("b"), c = take("c");
  store->release(c, worker_of("c"), "x");
  store->release(a, worker_of("a"), "x");
  EXPECT_EQ(take("w").number, 0);
  EXPECT_EQ(take("w").number, 2);
  EXPECT_EQ(take("w").number, 3);
  EXPECT_TRUE(store->beat(b, worker_of("b")));
}

TEST_P(StoreTest, ALeaseEndsWithoutASignOfLife) {
  const Trial trial = take("w");
  at.time += 59;
  EXPECT_EQ(store->release_expired(), 0);
  EXPECT_TRUE(store->beat(trial, worker_of("w")));
  at.time += 59;
  EXPECT_EQ(store->release_expired(), 0);
  at.time += 2;
  EXPECT_EQ(store->release_expired(), 1);
  EXPECT_EQ(found(0).status(), TrialStatus::kQueued);
  EXPECT_EQ(found(0).outcome.reason, "its worker died");
  EXPECT_FALSE(store->beat(trial, worker_of("w")));
  EXPECT_FALSE(store->finish(trial, worker_of("w"), scored(1)));
}

TEST_P(StoreTest, AClaimTakesUpWhatALeaseHasLeft) {
  const Trial lost = take("w");
  store->add_point(lost, worker_of("w"), {.epoch = 1, .score = 0.5});
  at.time += 61;
  ClaimRequest request = {.worker = worker_of("new"), .budget = 1};
  const Claim claim = store->claim(request, propose_never());
  EXPECT_EQ(claim.kind, Claim::Kind::kTrial);
  EXPECT_EQ(claim.trial.number, 0);
  EXPECT_EQ(claim.trial.attempt, 2);
  EXPECT_EQ(claim.trial.worker, "new");
  EXPECT_TRUE(store->curve(0).empty());  // of the first attempt
  store->add_point(lost, worker_of("w"), {.epoch = 1, .score = 0.5});
  EXPECT_TRUE(store->curve(0).empty());
  EXPECT_FALSE(store->finish(lost, worker_of("w"), scored(1)));
  EXPECT_TRUE(store->finish(claim.trial, worker_of("new"), scored(2)));
  EXPECT_EQ(found(0).outcome.scores, std::vector<double>{2});
  EXPECT_EQ(found(0).outcome.reason, "");
}

TEST_P(StoreTest, TheSameWorkersOldClaimIsLostToo) {
  const Trial before = take("w");
  at.time += 61;
  const Trial after = take("w");
  EXPECT_EQ(after.number, before.number);
  EXPECT_FALSE(store->finish(before, worker_of("w"), scored(1)));
  EXPECT_TRUE(store->finish(after, worker_of("w"), scored(2)));
}

TEST_P(StoreTest, ALateResultCountsIfNobodyTookTheTrial) {
  const Trial trial = take("w");
  at.time += 1000;
  EXPECT_TRUE(store->finish(trial, worker_of("w"), scored(1)));
  EXPECT_EQ(store->release_expired(), 0);
}

TEST_P(StoreTest, ThreeLostWorkersAreEnough) {
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(take("w" + std::to_string(attempt)).attempt, attempt);
    at.time += 61;
  }
  ClaimRequest request = {.worker = worker_of("w"), .budget = 2};
  Asked asked = {.answer = {.kind = Proposal::Kind::kWait}};
  std::int64_t seen = 0;
  EXPECT_EQ(store->claim(request, asked.proposer()).kind, Claim::Kind::kWait);
  EXPECT_EQ(found(0).status(), TrialStatus::kQuarantined);
  EXPECT_EQ(found(0).outcome.reason, "its worker died");
  // Though nothing was claimed, what the proposer was told has happened.
  EXPECT_EQ(asked.told, (std::vector<Numbers>{{0}}));
  EXPECT_EQ(at.open()->changes(seen).size(), 1u);
  EXPECT_EQ(seen, request.seen);
}

TEST_P(StoreTest, AttemptsAreAnOption) {
  at.options.attempts = 1;
  store = at.open();
  store->release(take("w"), worker_of("w"), "broke");
  EXPECT_EQ(found(0).status(), TrialStatus::kQuarantined);
}

TEST_P(StoreTest, ADeadWorkerLosesItsClaims) {
  take("dead");
  const Trial alive = take("alive");
  take("dead");
  EXPECT_EQ(store->release_dead("unknown"), 0);
  EXPECT_EQ(store->release_dead("dead"), 2);
  EXPECT_EQ(store->release_dead("dead"), 0);
  EXPECT_EQ(store->workers(), (std::vector<std::string>{"alive"}));
  EXPECT_EQ(found(0).status(), TrialStatus::kQueued);
  EXPECT_EQ(found(2).status(), TrialStatus::kQueued);
  EXPECT_TRUE(store->finish(alive, worker_of("alive"), scored(1)));
}

// However long a strategy thinks: others do not wait for it, not even for a moment.
TEST_P(StoreTest, OthersWorkWhileOneChooses) {
  const Trial trial = take("w");
  at.options.busy_timeout = 0;
  const std::unique_ptr<Store> other = at.open();
  ClaimRequest request = {.worker = worker_of("slow"), .budget = 100};
  std::vector<Numbers> told;
  const Claim claim = store->claim(request, [&](const std::vector<Trial>& changes, std::int64_t number) {
    told.push_back(numbers_of(changes));
    EXPECT_EQ(message_of([&] {
                EXPECT_TRUE(other->beat(trial, worker_of("w")));
                other->add_point(trial, worker_of("w"), {.epoch = 1, .score = 1});
                EXPECT_TRUE(other->finish(trial, worker_of("w"), scored(1)));
              }),
              "no error");
    return Proposal{.plan = test_plan(number)};
  });
  // That a result came in meanwhile does not matter; it is told the next time.
  EXPECT_EQ(claim.kind, Claim::Kind::kTrial);
  EXPECT_EQ(claim.trial.number, 1);
  EXPECT_EQ(told, (std::vector<Numbers>{{0}}));
  Asked asked = {.answer = {.kind = Proposal::Kind::kWait}};
  store->claim(request, asked.proposer());
  EXPECT_EQ(asked.told, (std::vector<Numbers>{{0, 1}}));
}

TEST_P(StoreTest, WhoIsTooLateIsAskedAgain) {
  take("w");
  at.options.busy_timeout = 0;
  const std::unique_ptr<Store> other = at.open();
  ClaimRequest request = {.worker = worker_of("slow"), .budget = 100},
               quick = {.worker = worker_of("quick"), .budget = 100};
  std::vector<Numbers> told;
  Numbers numbers;
  const Claim claim = store->claim(request, [&](const std::vector<Trial>& changes, std::int64_t number) {
    told.push_back(numbers_of(changes));
    numbers.push_back(number);
    // Twice another worker has a trial first: once the very same function.
    if (number < 3) {
      EXPECT_EQ(other->claim(quick, propose_plan(test_plan(number == 1 ? 1 : 77))).kind, Claim::Kind::kTrial);
    }
    return Proposal{.plan = test_plan(number)};
  });
  EXPECT_EQ(claim.kind, Claim::Kind::kTrial);
  EXPECT_EQ(claim.trial.number, 3);
  EXPECT_EQ(claim.trial.plan.key, "key3");
  EXPECT_EQ(numbers, (Numbers{1, 2, 3}));
  EXPECT_EQ(told, (std::vector<Numbers>{{0}, {1}, {2}}));
  EXPECT_EQ(store->counts().trials, 4);
}

TEST_P(StoreTest, TheBudgetMayEndWhileOneChooses) {
  const std::unique_ptr<Store> other = at.open();
  ClaimRequest request = {.worker = worker_of("slow"), .budget = 1},
               quick = {.worker = worker_of("quick"), .budget = 1};
  const Claim claim = store->claim(request, [&](const std::vector<Trial>&, std::int64_t) {
    EXPECT_EQ(other->claim(quick, propose_plan(test_plan(7))).kind, Claim::Kind::kTrial);
    return Proposal{.plan = test_plan(8)};
  });
  EXPECT_EQ(claim.kind, Claim::Kind::kBudget);
  EXPECT_EQ(store->counts().trials, 1);
}

// Once what broke an evaluator is mended: as if those trials had never been tried.
TEST_P(StoreTest, QuarantinedTrialsCanBeTriedAgain) {
  for (int attempt = 1; attempt <= 3; ++attempt) store->release(take("w"), worker_of("w"), "broken");
  ASSERT_EQ(found(0).status(), TrialStatus::kQuarantined);
  const Trial second = take("w");
  store->finish(second, worker_of("w"), scored(0.5));
  EXPECT_EQ(store->retry_quarantined(), 1);
  EXPECT_EQ(store->retry_quarantined(), 0);
  EXPECT_EQ(store->counts().quarantined, 0);
  EXPECT_EQ(store->counts().queued, 1);
  const Trial again = take("w");
  EXPECT_EQ(again.number, 0);
  EXPECT_EQ(again.attempt, 1);
  EXPECT_EQ(again.finish_order, -1);
  EXPECT_EQ(again.outcome.reason, "");
  EXPECT_TRUE(store->finish(again, worker_of("w"), scored(0.25)));
  EXPECT_EQ(found(0).status(), TrialStatus::kCompleted);
  EXPECT_GT(found(0).finish_order, found(1).finish_order);
}

}  // namespace
}  // namespace actforge
