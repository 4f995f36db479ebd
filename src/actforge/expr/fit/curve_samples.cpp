#include "actforge/expr/fit/curve_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"

namespace actforge {
namespace {

// Squares of differences must stay far below the largest double, and outputs within the range of float32.
constexpr double kLargest = 1e30;

void check(std::span<const double> values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::fabs(values[i]) <= kLargest) continue;
    throw Error(ErrorCode::kBadInput, "sample " + std::to_string(i + 1) + " has " + name + " = " +
                                          number_text(values[i]) +
                                          "; a curve is made of finite numbers up to 1e30. Leave that sample out");
  }
}

}  // namespace

CurveSamples curve_samples(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    throw Error(ErrorCode::kBadInput, std::to_string(x.size()) + " x and " + std::to_string(y.size()) +
                                          " y: a sample of a curve is one of each");
  }
  check(x, "x");
  check(y, "y");
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
  CurveSamples samples;
  const double share = 1 / static_cast<double>(x.size());
  for (std::size_t i = 0; i < order.size();) {
    double sum = 0;
    std::size_t same = i;
    for (; same < order.size() && x[order[same]] == x[order[i]]; ++same) sum += y[order[same]];
    const auto count = static_cast<double>(same - i);
    samples.x.push_back(x[order[i]]);
    samples.y.push_back(sum / count);
    samples.weight.push_back(count * share);
    i = same;
  }
  if (samples.x.size() < 2) {
    throw Error(ErrorCode::kBadInput, samples.x.empty() ? "a curve without samples; it takes two at different x"
                                                        : "all samples are at x = " + number_text(samples.x[0]) +
                                                              "; a curve takes two at different x");
  }
  return samples;
}

CurveSamples thinned(const CurveSamples& samples, std::size_t most) {
  const std::size_t count = samples.x.size(), size = (count + most - 1) / most;
  if (size <= 1) return samples;
  CurveSamples fewer;
  for (std::size_t first = 0; first < count; first += size) {
    double weight = 0, x = 0, y = 0;
    for (std::size_t i = first; i < std::min(first + size, count); ++i) {
      weight += samples.weight[i];
      x += samples.weight[i] * samples.x[i];
      y += samples.weight[i] * samples.y[i];
    }
    fewer.x.push_back(x / weight);
    fewer.y.push_back(y / weight);
    fewer.weight.push_back(weight);
  }
  return fewer;
}

}  // namespace actforge
