#include "actforge/init/maps/mixed_response.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace actforge {
namespace {

// Gauss's rule for a standard normal variable: 0, ±√(5 ∓ √10), weights 8/15, (7 ± 2√10)/60.
constexpr std::array<double, 5> kPoints = {-2.856970013872806, -1.355626179974266, 0, 1.355626179974266,
                                           2.856970013872806};
constexpr std::array<double, 5> kWeights = {0.011257411327720689, 0.22207592200561264, 8.0 / 15, 0.22207592200561264,
                                            0.011257411327720689};

// Averages over the sizes that one place has: of f, F, F² and f⁴.
struct AtPosition {
  double mean = 0, square = 0, square_squared = 0, fourth = 0;

  void add(double weight, const SizeResponse::At& f) {
    mean += weight * f.mean;
    square += weight * f.square;
    square_squared += weight * f.square * f.square;
    fourth += weight * f.fourth;
  }
};

// v = size e^(τz - τ²/2) has the mean `size` and the relative variance e^τ² - 1.
AtPosition at_place(const SizeResponse& f, double size, double spread) {
  AtPosition result;
  const double log_size = std::log(std::max(size, 1e-6));  // there is nothing at the edge of a padded image
  // Of constants a rounding error is left, of either sign.
  if (!(spread > 0)) {
    result.add(1, f.at(log_size));
    return result;
  }
  const double square = std::log1p(spread), deviation = std::sqrt(square);
  for (std::size_t i = 0; i < kPoints.size(); ++i) {
    result.add(kWeights[i], f.at(log_size - square / 2 + deviation * kPoints[i]));
  }
  return result;
}

}  // namespace

MixedResponse mixed_response(const SizeResponse& f, const ProfilePointer& profile, double spread,
                             const ProfilePointer& deviations) {
  const std::size_t places = profile != nullptr ? profile->size() : deviations != nullptr ? deviations->size() : 1;
  Profile squares(places), relative(places);
  const double usual = f.at(0).square;  // squares are relative to it: those of signals that explode are no floats
  AtPosition sum, now;
  double weighted = 0, before_size = -1, before_deviation = -1;
  for (std::size_t p = 0; p < places; ++p) {
    const double size = profile != nullptr ? static_cast<double>((*profile)[p]) : 1;
    const double deviation = deviations != nullptr ? static_cast<double>((*deviations)[p]) : 1;
    // Away from the edges most places are alike.
    if (size != before_size || deviation != before_deviation) {
      now = at_place(f, size, spread * deviation * deviation);
      before_size = size, before_deviation = deviation;
    }
    const double variance = std::max(0.0, now.square_squared - now.square * now.square);  // of F(v)
    squares[p] = usual > 0 ? static_cast<float>(now.square / usual) : 0;
    relative[p] = now.square > 0 ? static_cast<float>(std::sqrt(variance) / now.square) : 0;
    weighted += now.square > 0 ? variance / now.square : 0;
    sum.mean += now.mean, sum.square += now.square;
    sum.square_squared += now.square_squared, sum.fourth += now.fourth;
  }
  const auto count = static_cast<double>(places);
  MixedResponse result = {.mean = sum.mean / count, .square = sum.square / count};
  if (!(sum.square > 0)) return result;
  result.spread = weighted / sum.square;
  result.own = std::max(0.0, sum.fourth / sum.square_squared - 1);
  if (places == 1) return result;
  result.profile = normalised_profile(std::move(squares));
  if (result.spread > 0) {
    result.deviations = relative_deviations(std::move(relative), std::sqrt(result.spread));
  }
  return result;
}

}  // namespace actforge
