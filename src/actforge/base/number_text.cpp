#include "actforge/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace actforge {

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

}  // namespace actforge
