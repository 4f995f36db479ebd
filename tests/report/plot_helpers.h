#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/report/plots/line_plot.h"

namespace actforge::testing {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

struct Samples {
  double from = -5;
  double to = 5;
  int count = 401;
};

inline Series sampled(std::string label, const std::function<double(double)>& f, Samples samples = {}) {
  Series series{.label = std::move(label)};
  for (int i = 0; i < samples.count; ++i) {
    series.x.push_back(samples.from + (samples.to - samples.from) * i / (samples.count - 1));
    series.y.push_back(f(series.x.back()));
  }
  return series;
}

inline double relu(double x) { return x > 0 ? x : 0; }
inline double swish(double x) { return x / (1 + std::exp(-x)); }
inline double exponential(double x) { return std::exp(x); }
inline double inverse(double x) { return 1 / x; }

// The code of the error that the call throws, or nothing if it throws none.
inline std::pair<int, std::string> error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {0, ""};
}

inline constexpr int kFailed = static_cast<int>(ErrorCode::kFailed);
inline constexpr int kUsage = static_cast<int>(ErrorCode::kUsage);
inline constexpr int kBadInput = static_cast<int>(ErrorCode::kBadInput);
inline constexpr int kStorage = static_cast<int>(ErrorCode::kStorage);

}  // namespace actforge::testing
