#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/benchmark/benchmark.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {

// Strategies compared on a benchmark: each searches it many times, with other seeds, and whatever it asks for is looked
// up instead of trained.

struct ContestOptions {
  std::string benchmark = {};  // a file
  std::string space = {};      // empty: the benchmark's own
  std::string preset = "mini";
  std::uint64_t trials = 100;   // of a search, repeats included
  std::uint64_t repeats = 100;  // searches of each strategy
  // Maps of the space (PreparedSpace) that a strategy's searches share in turn: to make one takes longer than a search.
  std::uint64_t maps = 2;
  BenchmarkMeasure measure = BenchmarkMeasure::kAccuracy;
};

struct Contestant {
  std::string name = {};  // as it was written
  StudySettings settings = {};
};

// "aquasurf:features=both:regressor=gp": a strategy, and what differs from the preset; repeats and most-runs can stand
// there too. Throws Error (kUsage).
Contestant read_contestant(const std::string& text, const ContestOptions& options);

// One search: the true score of its answer after each evaluation. The answer is the function that a study would name as
// its best; before there is one, it is the worst score of the benchmark.
using SearchCurve = std::vector<double>;

struct ContestResult {
  Contestant contestant = {};
  std::vector<SearchCurve> searches = {};
  double seconds = 0;  // that all of it took, maps included
};

// What searches are looked up in.
class ContestField {
 public:
  // Throws Error (kBadInput, kUsage).
  explicit ContestField(ContestOptions options);

  const ContestOptions& options() const { return options_; }
  const Benchmark& benchmark() const { return *benchmark_; }
  double best() const { return best_; }
  double worst() const { return worst_; }
  // The best of the functions that everybody knows, of those that are there.
  struct Known {
    std::string name = {};
    double score = 0;
  };
  const std::vector<Known>& known() const { return known_; }

  // All searches of one strategy, over all threads of the context, whose seed is that of the first; progress is
  // reported as "searches". Throws Error.
  ContestResult run(const Contestant& contestant, const RunContext& context) const;

 private:
  std::vector<std::shared_ptr<const PreparedSpace>> prepare(const StudySettings& settings, const RunContext& run) const;
  std::vector<StudyFeatures> spectra() const;
  SearchCurve search(const StudySettings& settings, const std::shared_ptr<const PreparedSpace>& prepared,
                     const RunContext& run) const;
  TrialOutcome look_up(const TrialPlan& plan) const;

  ContestOptions options_;
  std::shared_ptr<const Benchmark> benchmark_;
  BenchmarkIndex index_;
  std::vector<double> truth_;
  double best_ = 0, worst_ = 0;
  std::vector<Known> known_;
};

}  // namespace actforge
