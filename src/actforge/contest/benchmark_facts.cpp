#include "actforge/contest/benchmark_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/comparable.h"
#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/surrogate/distances.h"
#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;

double median_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  return summarise_sample(values).median;
}

double root_mean_square(const std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

// Functions that can be put on every map, and what they are known by.
struct Described {
  std::vector<std::size_t> functions = {};  // of the benchmark
  Points outputs = {}, spectra = {};

  FunctionFeatures features(bool by_outputs, bool by_spectra) const {
    return {.outputs = by_outputs ? PointsView(outputs) : PointsView(),
            .spectra = by_spectra ? PointsView(spectra) : PointsView()};
  }
};

Points chosen_rows(const Points& points, const std::vector<std::size_t>& rows) {
  Points chosen(rows.size(), points.width);
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(points.row(rows[i]), chosen.row(i).begin());
  return chosen;
}

Described describe(const Benchmark& benchmark, const std::vector<Expr>& functions, const RunContext& context) {
  const Points outputs = output_features(functions, {.run = {.seed = context.seed, .threads = context.threads}});
  const std::vector<Comparable> comparable = comparable_functions(functions, outputs, context);
  Described described;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const bool has_spectrum = !benchmark.functions[i].spectrum.empty();
    if (comparable[i] == Comparable::kYes && (has_spectrum || !benchmark.has_spectra())) {
      described.functions.push_back(i);
    }
  }
  described.outputs = chosen_rows(outputs, described.functions);
  if (!benchmark.has_spectra() || described.functions.empty()) return described;
  const std::size_t width = benchmark.functions[described.functions[0]].spectrum.size();
  described.spectra = Points(described.functions.size(), width);
  for (std::size_t i = 0; i < described.functions.size(); ++i) {
    const std::vector<float>& spectrum = benchmark.functions[described.functions[i]].spectrum;
    if (spectrum.size() != width) throw Error(ErrorCode::kBadInput, "the benchmark's spectra have different lengths");
    std::ranges::copy(spectrum, described.spectra.row(i).begin());
  }
  return described;
}

// Numbers among the described functions of each function and its negative, each pair once.
std::vector<Pair> negative_pairs(const Benchmark& benchmark, const Described& described) {
  const BenchmarkIndex index(benchmark);
  const std::size_t none = described.functions.size();
  std::vector<std::size_t> place(benchmark.functions.size(), none);
  for (std::size_t i = 0; i < none; ++i) place[described.functions[i]] = i;
  std::set<Pair> pairs;
  for (std::size_t i = 0; i < none; ++i) {
    const std::string& text = benchmark.functions[described.functions[i]].expression;
    const auto found = index.find(parse("negative(" + text + ")"));
    const std::size_t other = found ? place[found.value()] : none;
    if (other != none && other != i) pairs.insert(std::minmax(i, other));
  }
  return {pairs.begin(), pairs.end()};
}

NegativeDistance negative_distance(const std::string& features, PointsView points, Metric metric,
                                   const std::vector<Pair>& pairs, Random& random) {
  NegativeDistance answer = {.features = features, .pairs = pairs.size()};
  std::vector<double> between, typical, nearer;
  for (const auto& [a, b] : pairs) {
    const double own = distance(points.row(a), points.row(b), metric);
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.count; ++i) {
      if (i != a && distance(points.row(a), points.row(i), metric) < own) ++count;
    }
    between.push_back(own);
    nearer.push_back(static_cast<double>(count) / static_cast<double>(points.count - 1));
    typical.push_back(distance(points.row(random.below(points.count)), points.row(random.below(points.count)), metric));
  }
  answer.median = median_of(std::move(between));
  answer.typical = median_of(std::move(typical));
  answer.nearer = median_of(std::move(nearer));
  return answer;
}

// All scores of a function, or none where a run failed.
std::vector<double> all_scores(const BenchmarkFunction& function, BenchmarkMeasure measure) {
  std::vector<double> scores;
  for (const BenchmarkRun& run : function.runs) {
    const auto score = run_score(run, measure);
    if (!score) return {};
    scores.push_back(*score);
  }
  return scores;
}

// With S runs each and the standard deviation s of a single one, the means of two equal functions differ by s √(2/S),
// as the root of the mean square.
void compare_scores(Negatives& answer, const Benchmark& benchmark, const Described& described,
                    const std::vector<Pair>& pairs, const FactsOptions& options, Random& random) {
  std::vector<SampleSummary> scores;
  for (const std::size_t i : described.functions) {
    scores.push_back(summarise_sample(all_scores(benchmark.functions[i], options.measure)));
  }
  std::vector<double> differences, noise, typical;
  const auto difference = [&](std::size_t a, std::size_t b) -> std::optional<double> {
    if (scores[a].count == 0 || scores[b].count == 0) return std::nullopt;
    return scores[a].mean - scores[b].mean;
  };
  for (const auto& [a, b] : pairs) {
    const auto own = difference(a, b);
    if (!own) continue;
    differences.push_back(*own);
    for (const std::size_t i : {a, b}) {
      noise.push_back(scores[i].deviation * std::sqrt(2 / static_cast<double>(scores[i].count)));
    }
    if (const auto any = difference(random.below(scores.size()), random.below(scores.size()))) typical.push_back(*any);
  }
  answer.pairs = differences.size();
  answer.difference = root_mean_square(differences);
  answer.by_noise = root_mean_square(noise);
  answer.typical_difference = root_mean_square(typical);
}

Negatives compare_negatives(const Benchmark& benchmark, const Described& described, const FactsOptions& options,
                            const RunContext& context) {
  Negatives answer;
  const std::vector<Pair> pairs = negative_pairs(benchmark, described);
  if (pairs.empty()) return answer;
  Random random(context.seed, 0, "pairs of functions");
  answer.distances.push_back(negative_distance("outputs", described.outputs, Metric::kEuclidean, pairs, random));
  if (described.spectra.count > 0) {
    answer.distances.push_back(negative_distance("eigenvalues", described.spectra, Metric::kManhattan, pairs, random));
  }
  compare_scores(answer, benchmark, described, pairs, options, random);
  return answer;
}

// A run that failed counts as the worst score, as it does in true scores.
double single_score(const BenchmarkFunction& function, double worst, BenchmarkMeasure measure, Random& random) {
  if (function.runs.empty()) return worst;
  return run_score(function.runs[random.below(function.runs.size())], measure).value_or(worst);
}

class Predictions {
 public:
  Predictions(const Benchmark& benchmark, const Described& described, const FactsOptions& options,
              const RunContext& context)
      : benchmark_(benchmark), described_(described), options_(options), context_(context) {
    const std::vector<double> truth = true_scores(benchmark, options.measure);
    worst_ = *std::ranges::min_element(truth);
    for (const std::size_t i : described.functions) truth_.push_back(truth[i]);
  }

  std::vector<Prediction> from(const std::string& features, bool by_outputs, bool by_spectra) const {
    const Points map =
        map_functions(described_.features(by_outputs, by_spectra), {.umap = {.run = {.seed = context_.seed,
                                                                                     .threads = context_.threads,
                                                                                     .stop = context_.stop,
                                                                                     .progress = context_.progress}}});
    std::vector<Prediction> predictions;
    for (const RegressorRow& row : regressors()) {
      std::vector<double> correlations;
      for (std::uint64_t repeat = 0; repeat < options_.repeats; ++repeat) {
        context_.show("predictions", repeat, options_.repeats);
        const double correlation = correlation_of(map, row, repeat);
        if (std::isfinite(correlation)) correlations.push_back(correlation);
      }
      predictions.push_back(
          {.features = features, .regressor = std::string(row.name), .correlation = summarise_sample(correlations)});
    }
    return predictions;
  }

 private:
  // The same functions and runs for all regressors and kinds of features.
  double correlation_of(const Points& map, const RegressorRow& row, std::uint64_t repeat) const {
    Random random(context_.seed, repeat, "known functions");
    std::vector<std::size_t> order(map.count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    const std::size_t known = std::min<std::size_t>(options_.known, order.size() / 2);
    const std::vector<std::size_t> given(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(known));
    const std::vector<std::size_t> asked(order.begin() + static_cast<std::ptrdiff_t>(known), order.end());
    std::vector<double> scores, truth;
    for (const std::size_t i : given) {
      scores.push_back(single_score(benchmark_.functions[described_.functions[i]], worst_, options_.measure, random));
    }
    for (const std::size_t i : asked) truth.push_back(truth_[i]);
    const auto regressor = row.make({.seed = context_.seed + repeat, .threads = context_.threads});
    regressor->fit(chosen_rows(map, given), scores);
    return rank_correlation(regressor->predict(chosen_rows(map, asked)), truth);
  }

  const Benchmark& benchmark_;
  const Described& described_;
  const FactsOptions& options_;
  const RunContext& context_;
  double worst_ = 0;
  std::vector<double> truth_;  // of the described functions
};

void count_invalid(BenchmarkFacts& facts, const Benchmark& benchmark, BenchmarkMeasure measure) {
  for (const BenchmarkFunction& function : benchmark.functions) {
    const bool failed = std::ranges::none_of(
        function.runs, [&](const BenchmarkRun& run) { return run_score(run, measure).has_value(); });
    Crosstab& counts = facts.invalid_and_failed;
    ++(function.spectrum.empty() ? (failed ? counts.both : counts.first) : (failed ? counts.second : counts.neither));
  }
  facts.invalid_fails = fisher_exact_greater(facts.invalid_and_failed);
}

}  // namespace

BenchmarkFacts benchmark_facts(const Benchmark& benchmark, const FactsOptions& options, const RunContext& context) {
  if (options.known == 0) throw Error(ErrorCode::kUsage, "a prediction needs at least one known function (--known)");
  if (options.repeats < 2) throw Error(ErrorCode::kUsage, "an interval needs at least two repeats (--repeats)");
  std::vector<Expr> functions;
  for (const BenchmarkFunction& function : benchmark.functions) functions.push_back(parse(function.expression));
  BenchmarkFacts facts;
  const bool has_spectra = benchmark.has_spectra();
  if (has_spectra) count_invalid(facts, benchmark, options.measure);
  const Described described = describe(benchmark, functions, context);
  facts.negatives = compare_negatives(benchmark, described, options, context);
  facts.predicted = described.functions.size();
  constexpr std::size_t kFewest = 20;
  if (facts.predicted < kFewest) return facts;
  const Predictions predictions(benchmark, described, options, context);
  const auto add = [&](const std::string& name, bool by_outputs, bool by_spectra) {
    for (Prediction& prediction : predictions.from(name, by_outputs, by_spectra)) {
      facts.predictions.push_back(std::move(prediction));
    }
  };
  add("outputs", true, false);
  if (has_spectra) add("eigenvalues", false, true);
  if (has_spectra) add("both", true, true);
  return facts;
}

}  // namespace actforge
