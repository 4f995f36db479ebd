// Real processes on one study, killed at any moment.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "actforge/base/random.h"
#include "tests/store/store_helpers.h"

namespace actforge {
namespace {

constexpr std::int64_t kBudget = 400;
constexpr int kWorkers = 4;
constexpr int kKills = 60;

// Runs `body` in a process of its own, which ends with what it returns, or with 99 and a message.
template <class Body>
pid_t start_process(Body body) {
  const pid_t process = fork();
  if (process != 0) return process;
  alarm(100);  // rather than wait for ever for the result of a process that failed
  int code = 99;
  try {
    code = body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  _exit(code);  // without the destructors and buffers of the parent
}

int exit_code(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

double score_of(const Trial& trial) {
  return static_cast<double>(trial.number) * 100 + static_cast<double>(trial.attempt);
}

// Twice as many functions as the budget, each under three keys with equal values: workers offer equal ones all the
// time.
Proposer propose_any(Random& random) {
  return [&random](const std::vector<Trial>&, std::int64_t) {
    const std::string function = std::to_string(random.below(2 * kBudget));
    return Proposal{.plan = {.expression = function,
                             .key = function + "/" + std::to_string(random.below(3)),
                             .fingerprint = "values" + function}};
  };
}

void evaluate(Store& store, const Claim& claim, const WorkerName& worker, int acknowledged) {
  for (int epoch = 1; epoch <= 3; ++epoch) {
    store.add_point(claim.trial, worker, {.epoch = epoch, .score = score_of(claim.trial)});
    store.beat(claim.trial, worker);
  }
  if (!store.finish(claim.trial, worker, scored(score_of(claim.trial)))) return;
  const std::int64_t number = claim.trial.number;
  if (write(acknowledged, &number, sizeof number) != sizeof number) _exit(98);
}

// Until the budget is used and all is over.
int work(const StoreLocation& at, const std::string& name, int acknowledged) {
  const std::unique_ptr<Store> store = at.open();
  Random random(std::hash<std::string>()(name));
  ClaimRequest request = {.worker = {.name = name, .version = "1", .lease = 1e6}, .budget = kBudget};
  while (true) {
    const Claim claim = store->claim(request, propose_any(random));
    if (claim.kind == Claim::Kind::kTrial) {
      evaluate(*store, claim, request.worker, acknowledged);
    } else if (claim.kind == Claim::Kind::kBudget) {
      if (store->counts().over() == kBudget) return 0;
      usleep(1000);
    }
  }
}

// Workers by name; those that are killed are replaced, and their claims taken back, as somebody who watches them does.
class Crew {
 public:
  Crew(const StoreLocation& at, int acknowledged) : at_(at), acknowledged_(acknowledged) {
    for (int i = 0; i < kWorkers; ++i) hire();
  }

  void kill_one(Random& random) {
    const auto victim = std::next(workers_.begin(), static_cast<std::ptrdiff_t>(random.below(workers_.size())));
    const auto [name, process] = *victim;
    workers_.erase(victim);
    kill(process, SIGKILL);
    const int code = exit_code(process);
    EXPECT_TRUE(code == -SIGKILL || code == 0) << code;
    at_.open()->release_dead(name);
    hire();
  }

  void wait() {
    for (const auto& [name, process] : workers_) EXPECT_EQ(exit_code(process), 0) << name;
  }

 private:
  void hire() {
    const std::string name = "worker" + std::to_string(hired_++);
    workers_[name] = start_process([&] { return work(at_, name, acknowledged_); });
  }

  const StoreLocation& at_;
  int acknowledged_;
  int hired_ = 0;
  std::map<std::string, pid_t> workers_;
};

std::vector<std::int64_t> read_acknowledged(int pipe) {
  std::vector<std::int64_t> numbers;
  std::int64_t number = 0;
  while (read(pipe, &number, sizeof number) == sizeof number) numbers.push_back(number);
  return numbers;
}

void check_trials(Store& store) {
  std::set<std::string> functions, keys;
  std::set<std::int64_t> orders;
  store.each([&](const Trial& trial) {
    EXPECT_EQ(trial.status(), TrialStatus::kCompleted);
    EXPECT_EQ(trial.outcome.scores, std::vector<double>{score_of(trial)});
    EXPECT_TRUE(functions.insert(trial.plan.expression).second) << trial.plan.expression;
    EXPECT_TRUE(keys.insert(trial.plan.key).second) << trial.plan.key;
    orders.insert(trial.finish_order);
    const std::vector<CurvePoint> curve = store.curve(trial.number);
    ASSERT_EQ(curve.size(), 3u);
    for (const CurvePoint& point : curve) EXPECT_EQ(point.score, score_of(trial));
  });
  EXPECT_EQ(functions.size(), static_cast<std::size_t>(kBudget));
  EXPECT_EQ(orders.size(), static_cast<std::size_t>(kBudget));
  EXPECT_EQ(*orders.begin(), 0);
  EXPECT_EQ(*orders.rbegin(), kBudget - 1);
}

TEST_P(StoreTest, KilledWorkersLoseNothingAndRepeatNothing) {
  store.reset();  // a connection must not be in two processes
  at.options = {.attempts = 1'000'000};
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  Crew crew(at, ends[1]);
  Random random(42);
  for (int i = 0; i < kKills; ++i) {
    usleep(static_cast<useconds_t>(random.below(15'000)));
    crew.kill_one(random);
  }
  crew.wait();
  close(ends[1]);
  std::vector<std::int64_t> acknowledged = read_acknowledged(ends[0]);
  close(ends[0]);

  store = at.open();
  EXPECT_EQ(store->counts().trials, kBudget);
  EXPECT_EQ(store->counts().completed, kBudget);
  EXPECT_TRUE(store->workers().empty());
  check_trials(*store);
  // A worker may die between the result and its word, but it never gives its word twice.
  std::ranges::sort(acknowledged);
  EXPECT_EQ(std::ranges::adjacent_find(acknowledged), acknowledged.end());
  EXPECT_GE(acknowledged.size(), static_cast<std::size_t>(kBudget - kKills));
  EXPECT_LE(acknowledged.size(), static_cast<std::size_t>(kBudget));
}

TEST_P(StoreTest, ATrialThatKillsItsWorkersIsQuarantined) {
  store.reset();
  for (int i = 0; i < 3; ++i) {
    const std::string name = "worker" + std::to_string(i);
    const pid_t process = start_process([&] {
      ClaimRequest request = {.worker = worker_of(name), .budget = 1};
      at.open()->claim(request, propose_next());
      raise(SIGKILL);
      return 0;
    });
    EXPECT_EQ(exit_code(process), -SIGKILL);
    EXPECT_EQ(at.open()->release_dead(name), 1);
  }
  store = at.open();
  EXPECT_EQ(found(0).status(), TrialStatus::kQuarantined);
  EXPECT_EQ(found(0).attempt, 3);
}

TEST_P(StoreTest, OfManyMakersOneSucceeds) {
  const StoreLocation fresh(GetParam());
  std::array<pid_t, 4> makers = {};
  for (pid_t& maker : makers) {
    maker = start_process([&] {
      const std::string message = message_of([&] { fresh.create(); });
      if (message == "no error") return 1;
      return message.find("already") != std::string::npos || message.find("same moment") != std::string::npos ? 2 : 99;
    });
  }
  std::array<int, 4> codes = {};
  std::ranges::transform(makers, codes.begin(), exit_code);
  std::ranges::sort(codes);
  EXPECT_EQ(codes, (std::array{1, 2, 2, 2}));
  EXPECT_EQ(fresh.open()->header().settings, test_header().settings);
}

TEST_P(StoreTest, AKilledMakerLeavesAStudyOrNone) {
  Random random(7);
  for (int i = 0; i < 25; ++i) {
    const StoreLocation fresh(GetParam());
    const pid_t process = start_process([&] { return fresh.create() == nullptr; });
    usleep(static_cast<useconds_t>(random.below(60'000)));
    kill(process, SIGKILL);
    exit_code(process);
    if (store_exists(fresh.place)) {
      EXPECT_EQ(fresh.open()->header().settings, test_header().settings);
    } else {
      EXPECT_EQ(message_of([&] { fresh.create(); }), "no error");
    }
  }
}

}  // namespace
}  // namespace actforge
