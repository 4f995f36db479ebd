// How long the strategy aquasurf takes to propose, in the dissertation's space of three-node functions with as many
// features as All-CNN-C has: the first map, then one proposal after each finished trial, then with new spectra to
// place. The strategy's answers are checked on the way: each is new, and chosen by prediction.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/strategies/strategy.h"
#include "actforge/space/find_space.h"
#include "actforge/space/function_key.h"
#include "actforge/store/store.h"

namespace {

using namespace actforge;
using Clock = std::chrono::steady_clock;

constexpr const char* kGroup = "bench";
constexpr std::size_t kWidth = 13'692;
constexpr std::int64_t kTrials = 100;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "aquasurf_bench: %s\n", what.c_str());
  std::exit(1);
}

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A narrow distribution whose place depends on the function, as a spectrum's does.
StudyFeatures spectrum_of(const Expr& function) {
  StudyFeatures features = {.group = kGroup, .expression = to_call(function)};
  features.key = canonical_key(function);
  const Reference reference(function);
  double power = 0;
  for (int i = -8; i <= 8; ++i) power += std::pow(reference.value(0.25 * i + 0.01), 2);
  features.valid = std::isfinite(power) && power < 1e12;
  if (!features.valid) features.reason = "explodes";
  const double centre = 0.5 + 0.02 * std::log(power + 1e-12);
  for (std::size_t k = 0; k < kWidth && features.valid; ++k) {
    const double z = (static_cast<double>(k) / kWidth - centre) / 0.02;
    features.values.push_back(static_cast<float>(1 / (1 + std::exp(-z))));
  }
  return features;
}

double score_of(const Expr& function) {
  const Reference reference(function);
  double sum = 0;
  for (int i = -12; i <= 12; ++i) {
    const double x = 0.25 * i;
    sum += std::pow(reference.value(x) - x / (1 + std::exp(-1.3 * x)), 2);
  }
  return 1 / (1 + std::sqrt(sum / 25));
}

void print_times(const char* name, std::vector<double> times) {
  std::ranges::sort(times);
  std::printf("%-52s median %7.2f ms, largest %7.2f ms\n", name, 1e3 * times[times.size() / 2], 1e3 * times.back());
}

}  // namespace

int main() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "actforge-aquasurf-bench";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::unique_ptr<Store> store = create_store((folder / "study.db").string(), {.settings = "", .version = "1"});
  const Space space = find_space("aquasurf-3");
  TrialLog log;
  StrategySetup setup = {.space = &space, .log = &log, .options = {{"pool", "2800"}}};
  setup.run.threads = 0;
  setup.read_spectra = [&](std::int64_t& seen) { return store->features(kGroup, seen); };
  setup.spectra = kGroup;
  const StrategyRow& row = find_strategy("aquasurf");
  const std::unique_ptr<Strategy> strategy = row.make(setup);
  FeatureSource* const source = row.features(*strategy);
  source->owed(0);
  std::size_t measured = 0;
  for (const PooledFunction* function : source->wanted()) {
    store->add_features(spectrum_of(function->expr));
    ++measured;
  }
  Clock::time_point start = Clock::now();
  source->owed(0);
  std::printf("first map, of %zu functions with 1,000 + %zu features     %.2f s\n", measured, kWidth, since(start));

  std::vector<double> times, with_news;
  for (std::int64_t number = 0; number < kTrials; ++number) {
    const bool is_late = number >= kTrials - 10;  // then three new spectra come after each trial
    const std::vector<const PooledFunction*> wanted = source->wanted();
    for (std::size_t i = 0; is_late && i < 3 && i < wanted.size(); ++i) {
      store->add_features(spectrum_of(wanted[i]->expr));
    }
    start = Clock::now();
    const Proposal proposal = strategy->ask(number);
    const double seconds = since(start);
    if (proposal.kind != Proposal::Kind::kTrial) fail("it proposes nothing");
    if (log.find({proposal.plan.key, proposal.plan.fingerprint})) fail("it proposes what was tried");
    if (number >= 8 && proposal.plan.origin != "surrogate") fail("it does not predict");
    if (number > 8) (is_late ? with_news : times).push_back(seconds);
    Trial trial = {.number = number, .plan = proposal.plan};
    trial.finish_order = number;
    const double score = score_of(parse(proposal.plan.expression));
    trial.outcome.status = std::isfinite(score) ? TrialStatus::kCompleted : TrialStatus::kFailed;
    if (std::isfinite(score)) trial.outcome.scores = {score};
    log.add(trial);
  }
  print_times("proposal after a finished trial (limit 50 ms)", times);
  print_times("proposal with three new spectra to place", with_news);
  std::filesystem::remove_all(folder);
}
