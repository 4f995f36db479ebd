#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/init/moments/signal_moments.h"

namespace actforge {

// For the names of tests.
inline void PrintTo(const SignalMoments& moments, std::ostream* out) {
  *out << "mean " << moments.mean << " variance " << moments.variance;
}

}  // namespace actforge

// Slow, obvious oracles for the maps of AutoInit: ten million normal numbers, pushed through plain loops.
namespace actforge::simulate {

#ifdef __SANITIZE_ADDRESS__
inline constexpr std::size_t kSamples = 500'000;  // enough to see every line
inline constexpr double kTolerance = 0.04;
#else
inline constexpr std::size_t kSamples = 10'000'000;
inline constexpr double kTolerance = 0.01;
#endif

inline const std::vector<float>& standard_normals() {
  static const std::vector<float> pool = [] {
    Random random(123, 0, "simulation");
    std::vector<float> numbers(kSamples);
    for (float& number : numbers) number = static_cast<float>(random.normal());
    return numbers;
  }();
  return pool;
}

// Mean and variance of what is added to it.
class Average {
 public:
  void add(double y) { ++count_, sum_ += y, squares_ += y * y; }
  SignalMoments moments() const {
    const double mean = sum_ / count_;
    return {mean, squares_ / count_ - mean * mean};
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

// Calls see(x) for groups of `size` independent normal numbers of these moments until the pool is used up.
inline void groups(const SignalMoments& moments, std::size_t size,
                   const std::function<void(std::span<const double> x)>& see) {
  const std::vector<float>& pool = standard_normals();
  const double deviation = std::sqrt(moments.variance);
  std::vector<double> x(size);
  for (std::size_t at = 0; at + size <= pool.size(); at += size) {
    for (std::size_t i = 0; i < size; ++i) x[i] = moments.mean + deviation * static_cast<double>(pool[at + i]);
    see(x);
  }
}

}  // namespace actforge::simulate
