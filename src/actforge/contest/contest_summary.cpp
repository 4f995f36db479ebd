#include "actforge/contest/contest_summary.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/csv.h"
#include "actforge/base/number_text.h"

namespace actforge {
namespace {

constexpr double kWithin[] = {0.01, 0.001};
constexpr double kNever = std::numeric_limits<double>::infinity();

std::vector<double> at(const ContestResult& result, std::size_t evaluation) {
  std::vector<double> scores;
  scores.reserve(result.searches.size());
  for (const SearchCurve& curve : result.searches) scores.push_back(curve[evaluation]);
  return scores;
}

// After which the answer is that good and stays so; infinite where it is not at the end.
double evaluations_needed(const SearchCurve& curve, double threshold) {
  std::size_t end = curve.size();
  while (end > 0 && curve[end - 1] >= threshold) --end;
  return end == curve.size() ? kNever : static_cast<double>(end + 1);
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  if (values.empty()) return kNever;
  return values.size() % 2 == 1 || values[half] == kNever ? values[half] : (values[half - 1] + values[half]) / 2;
}

EvaluationsNeeded needed(const ContestResult& result, double best, double within) {
  const double threshold = best - within * std::fabs(best);
  std::vector<double> values;
  for (const SearchCurve& curve : result.searches) values.push_back(evaluations_needed(curve, threshold));
  EvaluationsNeeded answer = {.within = within};
  answer.reached = static_cast<std::size_t>(std::ranges::count_if(values, [](double v) { return v < kNever; }));
  answer.median = median_of(values);
  answer.interval = median_interval(std::move(values));
  return answer;
}

ContestTest compare(const ContestResult& a, const ContestResult& b) {
  const std::size_t last = a.searches.at(0).size() - 1;
  const std::vector<double> x = at(a, last), y = at(b, last);
  const TestResult greater = mann_whitney_greater(x, y);
  const double either = std::min(greater.p, mann_whitney_greater(y, x).p);
  return {.a = a.contestant.name,
          .b = b.contestant.name,
          .difference = difference_interval(x, y),
          .wins = greater.statistic / static_cast<double>(x.size() * y.size()),
          .p = std::min(1.0, 2 * either)};
}

std::vector<ContestTest> compare_all(std::span<const ContestResult> results) {
  std::vector<ContestTest> tests;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (std::size_t j = i + 1; j < results.size(); ++j) tests.push_back(compare(results[i], results[j]));
  }
  std::vector<double> p;
  for (const ContestTest& test : tests) p.push_back(test.p);
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].p = adjusted[i];
  return tests;
}

}  // namespace

Interval median_interval(std::vector<double> values, double level) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  // Probabilities of the binomial distribution with n and 1/2, by their logarithms.
  double below = 0;
  std::size_t k = 0;
  for (; k < values.size(); ++k) {
    const auto i = static_cast<double>(k);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) - n * std::log(2.0));
    if (below > (1 - level) / 2) break;
  }
  if (k == 0 || 2 * k > values.size()) return {};
  return {.low = values[k - 1], .high = values[values.size() - k]};
}

ContestSummary summarise_contest(const ContestField& field, std::span<const ContestResult> results) {
  ContestSummary summary = {.best = field.best(), .known = field.known()};
  for (const ContestResult& result : results) {
    ContestRow row = {.name = result.contestant.name, .seconds = result.seconds};
    const std::size_t length = result.searches.empty() ? 0 : result.searches[0].size();
    for (std::size_t i = 0; i < length; ++i) row.curve.push_back(summarise_sample(at(result, i)));
    for (const double within : kWithin) row.needed.push_back(needed(result, field.best(), within));
    summary.rows.push_back(std::move(row));
  }
  summary.tests = compare_all(results);
  return summary;
}

std::string contest_csv(const ContestSummary& summary) {
  std::string text = "strategy,evaluation,mean,low,high\n";
  for (const ContestRow& row : summary.rows) {
    for (std::size_t i = 0; i < row.curve.size(); ++i) {
      const SampleSummary& point = row.curve[i];
      text += csv_field(row.name) + "," + std::to_string(i + 1);
      for (const double value : {point.mean, point.low, point.high}) {
        text += "," + (std::isfinite(value) ? number_text(value) : std::string());
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace actforge
