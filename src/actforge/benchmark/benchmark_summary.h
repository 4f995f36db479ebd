#pragma once

#include <string>
#include <vector>

#include "actforge/benchmark/benchmark.h"

namespace actforge {

// How much of what one sees in a benchmark is the functions, and how much the seeds.
struct NoiseShare {
  std::size_t functions = 0;  // that have a score in every run, at least two
  double between = 0;         // standard deviation of true means, without the part that is noise
  double within = 0;          // standard deviation of a single run around its function's mean
  // Of the variance of a single score, how much is the function: between² / (between² + within²).
  double share() const;
};

struct BenchmarkSummary {
  std::size_t functions = 0, seeds = 0, runs = 0, failed_runs = 0;
  std::size_t always_failed = 0, sometimes_failed = 0;  // functions
  std::size_t spectra = 0;                              // functions with a valid one
  std::size_t failed_without_spectrum = 0;              // of those without: functions that always failed
  double seconds = 0;                                   // of all runs
  NoiseShare all = {}, best_half = {};
  struct Row {
    std::string expression = {};
    double score = 0;
    std::size_t failed = 0;
  };
  std::vector<Row> best = {};  // the ten best
};

// One-way analysis of variance with effects of the seeds taken away: seeds are the same for all functions, and what a
// seed does to all of them is no noise of a comparison.
BenchmarkSummary summarise_benchmark(const Benchmark& benchmark,
                                     BenchmarkMeasure measure = BenchmarkMeasure::kAccuracy);

}  // namespace actforge
