#include "actforge/benchmark/benchmark.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"

namespace actforge {

std::size_t Benchmark::seeds() const {
  std::size_t most = 0;
  for (const BenchmarkFunction& function : functions) most = std::max(most, function.runs.size());
  return most;
}

bool Benchmark::has_spectra() const {
  return std::ranges::any_of(functions, [](const BenchmarkFunction& function) { return !function.spectrum.empty(); });
}

std::optional<double> run_score(const BenchmarkRun& run, BenchmarkMeasure measure) {
  const double score = measure == BenchmarkMeasure::kAccuracy ? run.accuracy : -run.loss;
  return run.completed && std::isfinite(score) ? std::optional(score) : std::nullopt;
}

std::vector<double> true_scores(const Benchmark& benchmark, BenchmarkMeasure measure) {
  double worst = std::numeric_limits<double>::infinity();
  for (const BenchmarkFunction& function : benchmark.functions) {
    for (const BenchmarkRun& run : function.runs) worst = std::min(worst, run_score(run, measure).value_or(worst));
  }
  std::vector<double> scores;
  scores.reserve(benchmark.functions.size());
  for (const BenchmarkFunction& function : benchmark.functions) {
    double sum = 0;
    for (const BenchmarkRun& run : function.runs) sum += run_score(run, measure).value_or(worst);
    scores.push_back(function.runs.empty() ? worst : sum / static_cast<double>(function.runs.size()));
  }
  return scores;
}

BenchmarkIndex::BenchmarkIndex(const Benchmark& benchmark) {
  for (std::size_t i = 0; i < benchmark.functions.size(); ++i) {
    index_.add(key_of(benchmark.functions[i].expression), static_cast<std::uint32_t>(i));
  }
  // Equal as far as the benchmark looked: in a search, which looks further, some of them are functions of their own.
  // What has a row has that.
  for (std::size_t i = 0; i < benchmark.functions.size(); ++i) {
    for (const std::string& equivalent : benchmark.functions[i].equivalents) {
      const FunctionKey key = key_of(equivalent);
      if (!find(key)) index_.add(key, static_cast<std::uint32_t>(i));
    }
  }
}

FunctionKey BenchmarkIndex::key_of(const std::string& expression) const {
  try {
    return keys_(parse(expression));
  } catch (const Error& error) {
    throw Error(ErrorCode::kBadInput, "'" + expression + "': " + error.what());
  }
}

std::optional<std::size_t> BenchmarkIndex::find(const FunctionKey& key) const {
  if (const auto found = index_.find({.canonical = key.canonical})) return found;
  return index_.find({.fingerprint = key.fingerprint});
}

}  // namespace actforge
