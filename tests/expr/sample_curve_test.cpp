#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/fit/curve_file.h"
#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

TEST(SampleCurve, IsTheFunctionAtEvenlySpacedInputs) {
  const Curve curve = sample_curve(Reference(parse("tanh(x)")), {.low = -2, .high = 1, .count = 4});
  EXPECT_EQ(curve.x, (std::vector<double>{-2, -1, 0, 1}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(curve.y[i], std::tanh(curve.x[i]));
}

TEST(SampleCurve, SaysWhereAFunctionIsNotFinite) {
  try {
    sample_curve(Reference(parse("sqrt(x)")), {.low = -1, .high = 1, .count = 3});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_NE(std::string(error.what()).find("x = -1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace actforge
