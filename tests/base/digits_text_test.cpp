#include "actforge/base/digits_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace actforge {
namespace {

std::string printed(const char* format, int digits, double value) {
  std::string text(500, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format, digits, value)));
  return text;
}

TEST(DigitsText, IsWhatPrintfWrites) {
  for (const double value : {0.0, -0.0, 1.0, 0.5, -0.00012345678, 123456.789, 1e-300, 9.9999999, 1e22,
                             std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity()}) {
    for (const int digits : {1, 2, 5, 8}) {
      EXPECT_EQ(with_digits(value, digits), printed("%.*g", digits, value));
      EXPECT_EQ(with_decimals(value, digits), printed("%.*f", digits, value));
      EXPECT_EQ(with_exponent(value, digits), printed("%.*e", digits, value));
    }
  }
  EXPECT_EQ(with_digits(-std::nan(""), 3), "nan");
}

}  // namespace
}  // namespace actforge
