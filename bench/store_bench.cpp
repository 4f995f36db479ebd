// What a study of 100,000 trials costs the next trial: the promise is less than 2 ms for a claim, a sign of life, a
// point of a learning curve and the result together. The study is checked before anything is timed.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "actforge/base/hash.h"
#include "actforge/store/store.h"

namespace {

using namespace actforge;

constexpr std::int64_t kTrials = 100'000;
constexpr double kLimitMs = 2;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "store_bench: %s\n", what.c_str());
  std::exit(1);
}

const WorkerName kWorker = {.name = "host-1234-1700000000", .version = "0.1.0"};

// As large as real ones: keys and fingerprints are hashes, so that their indexes are written all over the place.
TrialPlan plan_of(std::int64_t number) {
  const auto word = static_cast<std::uint64_t>(number);
  return {.expression = "mul(log_sigmoid(alpha(x)),beta(arcsinh(swish(x)))) " + std::to_string(number),
          .key = Hasher().add(word).finish().hex(),
          .fingerprint = Hasher().add(word).add("values").finish().hex(),
          .parents = number > 1 ? std::vector<std::int64_t>{number / 2} : std::vector<std::int64_t>{},
          .origin = "change",
          .story = {"replaced tanh with swish at node 3 of 5"},
          .seed = word};
}

TrialOutcome outcome_of(std::int64_t number) {
  const double score = static_cast<double>(Hasher().add(static_cast<std::uint64_t>(number)).finish().low) * 0x1p-64;
  return {.scores = {score, 0.5}, .metrics = R"({"accuracy":0.91234,"loss":0.3123,"epochs":50})", .seconds = 61.5};
}

// One trial's whole life.
void run_trial(Store& store, ClaimRequest& request) {
  const Claim claim = store.claim(
      request, [](const std::vector<Trial>&, std::int64_t number) { return Proposal{.plan = plan_of(number)}; });
  if (claim.kind != Claim::Kind::kTrial) fail("no trial was given");
  store.add_point(claim.trial, kWorker, {.epoch = 1, .score = 0.5, .metrics = R"({"loss":0.5})"});
  if (!store.beat(claim.trial, kWorker)) fail("a claim was lost");
  if (!store.finish(claim.trial, kWorker, outcome_of(claim.trial.number))) fail("a result was not taken");
}

// Beside this program, because the folder for temporary files may be memory, which is faster than any disk.
class Study {
 public:
  Study() {
    std::string name = (std::filesystem::canonical("/proc/self/exe").parent_path() / "store-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) fail("no folder can be made here");
    folder_ = name;
    const auto store = create_store(path(), {.settings = "seed = 1\n", .version = "0.1.0"});
    ClaimRequest request = {.worker = kWorker, .budget = kTrials};
    for (std::int64_t i = 0; i < kTrials; ++i) run_trial(*store, request);
  }
  ~Study() { std::filesystem::remove_all(folder_); }
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  std::string path() const { return (folder_ / "study.db").string(); }

 private:
  std::filesystem::path folder_;
};

void check(const Study& study) {
  const auto store = open_store(study.path());
  const TrialCounts counts = store->counts();
  if (counts.completed != kTrials || counts.trials != kTrials) fail("trials are missing");
  std::int64_t seen = 0, number = 0;
  for (const Trial& trial : store->changes(seen)) {
    if (trial.number != number) fail("changes are out of order");
    if (trial.plan.key != plan_of(number).key || trial.outcome.scores != outcome_of(number).scores)
      fail("a trial differs");
    ++number;
  }
  const std::vector<Trial> best = store->top(10);
  for (std::size_t i = 1; i < best.size(); ++i) {
    if (best[i - 1].outcome.scores[0] < best[i].outcome.scores[0]) fail("the best are out of order");
  }
}

void one_trial(benchmark::State& state, const Study& study) {
  const auto store = open_store(study.path());
  ClaimRequest request = {.worker = kWorker, .budget = 1'000'000'000};
  store->changes(request.seen);
  for (auto _ : state) run_trial(*store, request);
  state.counters["limit_ms"] = kLimitMs;
}

void register_all(const Study& study) {
  const auto add = [](const char* name, const auto& body) {
    benchmark::RegisterBenchmark(name, body)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  add("claim, point, beat, finish", [&](benchmark::State& state) { one_trial(state, study); });
  add("open and read all", [&](benchmark::State& state) {
    for (auto _ : state) {
      std::int64_t seen = 0;
      benchmark::DoNotOptimize(open_store(study.path())->changes(seen));
    }
  });
  add("open", [&](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(open_store(study.path()));
  });
  const std::shared_ptr<Store> store = open_store(study.path());
  add("top 10", [store](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(store->top(10));
  });
  add("counts", [store](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(store->counts());
  });
  add("find", [store](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(store->find(kTrials / 3));
  });
  add("no changes", [store](benchmark::State& state) {
    std::int64_t seen = 0;
    store->changes(seen);
    for (auto _ : state) benchmark::DoNotOptimize(store->changes(seen));
  });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Study study;
  check(study);
  register_all(study);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::ClearRegisteredBenchmarks();  // they hold the study open
  return 0;
}
