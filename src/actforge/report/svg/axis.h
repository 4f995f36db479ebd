#pragma once

#include <string>
#include <vector>

namespace actforge {

struct AxisRange {
  double low = 0;
  double high = 1;

  double length() const { return high - low; }
  bool contains(double value) const { return low <= value && value <= high; }
  // 0 at `low`, 1 at `high`.
  double fraction(double value) const { return (value - low) / (high - low); }
};

struct Tick {
  double value = 0;
  std::string label;
};

// About `wanted` round values (steps of 1, 2 or 5 times a power of ten) inside of the range, in ascending order.
std::vector<Tick> nice_ticks(const AxisRange& range, int wanted);

// With a point whatever the locale; zeros at the end and a negative zero are tidied away.
std::string fixed_text(double value, int decimals);
// About `digits` significant digits: 0.25, 1200, 3e8, 1.5e-9.
std::string short_text(double value, int digits);

}  // namespace actforge
