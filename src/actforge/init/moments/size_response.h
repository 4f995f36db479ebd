#pragma once

#include <array>
#include <span>

namespace actforge {

// What a function does to normal numbers of other sizes than the expected one: with x = m + σ √v z, by the size v,
//   M(v) = E f(x),   F(v) = E f(x)²,   E f(x)⁴
//
// One power law, F ~ v^γ with the γ of v = 1, will not do: where f grows faster far out than near zero, so that γ rises
// with v, the middle of an image, which is larger than its edges, has a larger γ than they have, and layer by layer
// moves further away from them. log_sigmoid(x)/bessel_i0e(x) has γ = 0.76, 1.07 and 1.32 at v = 1/2, 1 and 2; in the
// middle of All-CNN-C's last image v is 1.6, at its corners 0.5, and with the power law the variance there was 22% to
// 29% larger than predicted.
class SizeResponse {
 public:
  struct At {
    double mean = 0, square = 0, fourth = 0;
  };

  // Where functions are evaluated, (x - m)/σ, beyond the hermite_points(): pairs z, -z.
  static std::span<const double> outer_points();

  SizeResponse() = default;
  // From the values at hermite_points() and at the outer ones.
  SizeResponse(std::span<const double> inner, std::span<const double> outer);

  // At sizes beyond the table, its ends.
  At at(double log_size) const;

 private:
  // ln v = -3.5, -3.375, ..., 3: 1/33 to 20.
  static constexpr double kLowest = -3.5, kStep = 0.125;
  static constexpr std::size_t kSizes = 53;
  using Row = std::array<double, kSizes>;
  struct Weights;
  static const Weights& weights();

  Row mean_{}, square_{}, fourth_{};
};

}  // namespace actforge
