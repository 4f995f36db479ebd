#pragma once

#include "actforge/study/study_benchmark.h"

namespace actforge {

// Whether a benchmark says what training says: some of its runs are trained again.

struct BenchmarkCheckOptions {
  std::size_t rows = 20;
  double tolerance = 0;  // of accuracies
};

struct CheckedRow {
  std::string expression = {};
  std::size_t round = 0;  // which of its runs
  BenchmarkRun before = {}, now = {};
  bool agrees = false;
};

struct BenchmarkCheck {
  std::vector<CheckedRow> rows = {};
  std::size_t agreeing() const;
};

// The settings with which it was built. Throws Error (kUsage) where it was built elsewhere.
StudySettings benchmark_settings(const Benchmark& benchmark);

// The evaluator is that of benchmark_settings(). Which rows: by the context's seed. Progress is called "trainings".
// Throws Error.
BenchmarkCheck check_benchmark(const Benchmark& benchmark, Evaluator& evaluator, const BenchmarkCheckOptions& options,
                               const RunContext& context);

}  // namespace actforge
