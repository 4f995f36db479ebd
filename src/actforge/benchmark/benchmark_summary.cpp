#include "actforge/benchmark/benchmark_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actforge {
namespace {

using ScoreRow = std::vector<double>;  // one function, one score for each seed

double mean_of(const ScoreRow& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Functions that have as many scores as there are seeds.
std::vector<ScoreRow> complete_rows(const Benchmark& benchmark, BenchmarkMeasure measure) {
  std::vector<ScoreRow> rows;
  for (const BenchmarkFunction& function : benchmark.functions) {
    ScoreRow scores;
    for (const BenchmarkRun& run : function.runs) {
      if (const auto score = run_score(run, measure)) scores.push_back(*score);
    }
    if (scores.size() == benchmark.seeds()) rows.push_back(std::move(scores));
  }
  return rows;
}

// Two-way layout without repeats: score_fs = mean + function_f + seed_s + noise_fs. With F functions and S seeds, the
// residuals have (F-1)(S-1) degrees of freedom and estimate within²; the variance of the functions' means over seeds is
// between² + within²/S.
NoiseShare noise_share(const std::vector<ScoreRow>& rows) {
  NoiseShare noise = {.functions = rows.size()};
  if (rows.size() < 2 || rows[0].size() < 2) return noise;
  const auto functions = static_cast<double>(rows.size()), seeds = static_cast<double>(rows[0].size());
  ScoreRow of_seed(rows[0].size(), 0.0), of_function;
  for (const ScoreRow& row : rows) {
    of_function.push_back(mean_of(row));
    for (std::size_t s = 0; s < row.size(); ++s) of_seed[s] += row[s] / functions;
  }
  const double all = mean_of(of_function);
  double residuals = 0, means = 0;
  for (std::size_t f = 0; f < rows.size(); ++f) {
    means += (of_function[f] - all) * (of_function[f] - all);
    for (std::size_t s = 0; s < rows[f].size(); ++s) {
      const double residual = rows[f][s] - of_function[f] - of_seed[s] + all;
      residuals += residual * residual;
    }
  }
  const double within = residuals / ((functions - 1) * (seeds - 1));
  noise.within = std::sqrt(within);
  noise.between = std::sqrt(std::max(0.0, means / (functions - 1) - within / seeds));
  return noise;
}

std::size_t failed_runs(const BenchmarkFunction& function, BenchmarkMeasure measure) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.runs, [&](const BenchmarkRun& run) { return !run_score(run, measure).has_value(); }));
}

}  // namespace

double NoiseShare::share() const {
  const double all = between * between + within * within;
  return all > 0 ? between * between / all : 0;
}

BenchmarkSummary summarise_benchmark(const Benchmark& benchmark, BenchmarkMeasure measure) {
  BenchmarkSummary summary = {.functions = benchmark.functions.size(), .seeds = benchmark.seeds()};
  for (const BenchmarkFunction& function : benchmark.functions) {
    const std::size_t failed = failed_runs(function, measure);
    const bool always = failed == function.runs.size();
    summary.runs += function.runs.size();
    summary.failed_runs += failed;
    summary.always_failed += always ? 1 : 0;
    summary.sometimes_failed += !always && failed > 0 ? 1 : 0;
    summary.spectra += function.spectrum.empty() ? 0 : 1;
    summary.failed_without_spectrum += function.spectrum.empty() && always ? 1 : 0;
    for (const BenchmarkRun& run : function.runs) summary.seconds += std::isfinite(run.seconds) ? run.seconds : 0;
  }
  std::vector<ScoreRow> rows = complete_rows(benchmark, measure);
  summary.all = noise_share(rows);
  std::ranges::sort(rows, std::ranges::greater(), mean_of);
  rows.resize((rows.size() + 1) / 2);
  summary.best_half = noise_share(rows);
  const std::vector<double> truth = true_scores(benchmark, measure);
  std::vector<std::size_t> order(truth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return truth[i]; });
  for (const std::size_t i : order) {
    if (summary.best.size() == 10) break;
    summary.best.push_back({.expression = benchmark.functions[i].expression,
                            .score = truth[i],
                            .failed = failed_runs(benchmark.functions[i], measure)});
  }
  return summary;
}

}  // namespace actforge
