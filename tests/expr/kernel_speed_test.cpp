#include "actforge/expr/kernels/kernel_speed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

TEST(KernelSpeed, IsATime) {
  for (const char* function : {"relu(x)", "x", "x*sigmoid(alpha*x)", "max(erf(x),alpha(tanh(beta(x))))"}) {
    const KernelSpeed speed = measure_speed(parse(function), {.elements = 10007, .rounds = 3});
    for (const double time : {speed.forward, speed.forward_backward, speed.copy}) {
      EXPECT_GT(time, 0) << function;
      EXPECT_LT(time, 1e6) << function;  // a millisecond for a number
    }
  }
}

TEST(KernelSpeed, IsMeasuredOnEveryTarget) {
  for (const std::string_view target : Kernel::targets()) {
    EXPECT_GT(measure_speed(parse("tanh(x)"), {.elements = 1000, .rounds = 1, .target = std::string(target)}).forward,
              0)
        << target;
  }
}

}  // namespace
}  // namespace actforge
