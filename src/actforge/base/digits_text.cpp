#include "actforge/base/digits_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace actforge {
namespace {

std::string with_format(double value, std::chars_format format, int digits) {
  if (std::isnan(value)) return "nan";
  std::array<char, 400> buffer{};  // the largest number has 309 digits before the point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, digits);
  return std::string(buffer.data(), end);
}

}  // namespace

std::string with_digits(double value, int digits) { return with_format(value, std::chars_format::general, digits); }

std::string with_decimals(double value, int digits) { return with_format(value, std::chars_format::fixed, digits); }

std::string with_exponent(double value, int digits) {
  return with_format(value, std::chars_format::scientific, digits);
}

}  // namespace actforge
