#include "actforge/study/benchmark_check.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/study_file.h"

namespace actforge {
namespace {

BenchmarkRun train_again(const StudySettings& settings, const BenchmarkFunction& function, const BenchmarkRun& before,
                         Evaluator& evaluator, const RunContext& context) {
  EvaluationRequest request = {.function = evaluated_function(settings, function.expression)};
  request.expression = to_call(request.function);
  request.run = {.seed = before.seed, .threads = settings.threads, .stop = context.stop};
  const TrialOutcome outcome = evaluator.evaluate(request);
  BenchmarkRun now = {.completed = outcome.status == TrialStatus::kCompleted, .seed = before.seed};
  if (now.completed) now.accuracy = outcome.scores.at(0);
  return now;
}

// Files keep accuracies to six decimals.
bool agree(const BenchmarkRun& a, const BenchmarkRun& b, double tolerance) {
  constexpr double kRounding = 1e-6;
  return a.completed == b.completed && (!a.completed || std::fabs(a.accuracy - b.accuracy) <= tolerance + kRounding);
}

}  // namespace

std::size_t BenchmarkCheck::agreeing() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, &CheckedRow::agrees));
}

StudySettings benchmark_settings(const Benchmark& benchmark) {
  if (benchmark.settings.empty()) {
    throw Error(ErrorCode::kUsage, "the benchmark does not say how its network was trained");
  }
  StudySettings settings = parse_study(benchmark.settings);
  settings.objective = "accuracy";
  return settings;
}

BenchmarkCheck check_benchmark(const Benchmark& benchmark, Evaluator& evaluator, const BenchmarkCheckOptions& options,
                               const RunContext& context) {
  const StudySettings settings = benchmark_settings(benchmark);
  if (benchmark.seeds() == 0) throw Error(ErrorCode::kBadInput, "the benchmark has no results");
  Random random(context.seed, 0, "rows to check");
  BenchmarkCheck check;
  while (check.rows.size() < options.rows) {
    context.show("trainings", check.rows.size(), options.rows);
    const BenchmarkFunction& function = benchmark.functions[random.below(benchmark.functions.size())];
    if (function.runs.empty()) continue;
    const std::size_t round = random.below(function.runs.size());
    const BenchmarkRun& before = function.runs[round];
    CheckedRow row = {.expression = function.expression, .round = round, .before = before};
    row.now = train_again(settings, function, before, evaluator, context);
    row.agrees = agree(before, row.now, options.tolerance);
    check.rows.push_back(std::move(row));
  }
  return check;
}

}  // namespace actforge
