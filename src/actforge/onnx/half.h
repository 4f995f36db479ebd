#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// The two 16-bit formats, to and from float.
namespace actforge {

inline float from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
  }
  // Subnormals have no leading one and the exponent of the smallest normal numbers.
  const int mantissa = exponent == 0 ? fraction : fraction + 1024;
  return sign * std::ldexp(static_cast<float>(mantissa), (exponent == 0 ? 1 : exponent) - 25);
}

// To the nearest, ties to even.
inline std::uint16_t to_half(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const float size = std::fabs(value);
  constexpr float kOverflow = 65520;  // halfway between the largest number and the one that would follow
  if (size >= kOverflow) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);  // size = f 2^exponent, f in [0.5, 1)
  const int step = (exponent < -13 ? -13 : exponent) - 11;
  // nearbyint rounds ties to even. A carry into the next power of two comes out right by itself.
  const auto mantissa = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -step)));
  const auto base = static_cast<std::uint32_t>(step + 24) << 10;
  return static_cast<std::uint16_t>(sign | (mantissa < 1024 ? mantissa : base + mantissa));
}

inline float from_bfloat(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

inline std::uint16_t to_bfloat(float value) {
  if (std::isnan(value)) return 0x7fc0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace actforge
