#include "actforge/report/svg/axis.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace actforge {
namespace {

// Beyond these magnitudes a number is shorter, and easier to read, with an exponent.
constexpr double kSmallestPlain = 1e-3;
constexpr double kLargestPlain = 1e6;

bool is_plain(double magnitude) { return magnitude == 0 || (kSmallestPlain <= magnitude && magnitude < kLargestPlain); }

int decimal_exponent(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

std::string to_text(double value, std::chars_format format, int precision) {
  std::array<char, 400> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
  return std::string(buffer.data(), end);
}

void drop_zeros_at_end(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
}

// 1.50e+09 becomes 1.5e9.
std::string scientific_text(double value, int precision) {
  if (value == 0) return "0";
  const std::string text = to_text(value, std::chars_format::scientific, precision);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  drop_zeros_at_end(mantissa);
  const std::string sign = text[e + 1] == '-' ? "-" : "";
  return mantissa + "e" + sign + text.substr(std::min(text.find_first_not_of('0', e + 2), text.size() - 1));
}

double nice_step(double wanted) {
  const double power = std::pow(10.0, decimal_exponent(wanted));
  const double ratio = wanted / power;
  return power * (ratio < 1.5 ? 1 : ratio < 3 ? 2 : ratio < 7 ? 5 : 10);
}

}  // namespace

std::string fixed_text(double value, int decimals) {
  std::string text = to_text(value, std::chars_format::fixed, decimals);
  drop_zeros_at_end(text);
  return text == "-0" ? "0" : text;
}

std::string short_text(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  if (!is_plain(std::abs(value))) return scientific_text(value, digits - 1);
  return fixed_text(value, std::max(0, digits - 1 - decimal_exponent(std::abs(value))));
}

std::vector<Tick> nice_ticks(const AxisRange& range, int wanted) {
  const double step = nice_step(range.length() / std::max(1, wanted));
  const int step_exponent = decimal_exponent(step);
  const bool plain = is_plain(std::max(std::abs(range.low), std::abs(range.high)));
  std::vector<Tick> ticks;
  const double last = std::floor(range.high / step + 1e-9);
  for (double k = std::ceil(range.low / step - 1e-9); k <= last; ++k) {
    const double value = k * step;
    const int digits = k == 0 ? 0 : std::max(0, decimal_exponent(std::abs(value)) - step_exponent);
    ticks.push_back({std::clamp(value, range.low, range.high),
                     plain ? fixed_text(value, std::max(0, -step_exponent)) : scientific_text(value, digits)});
  }
  return ticks;
}

}  // namespace actforge
