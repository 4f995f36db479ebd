#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "actforge/expr/language/expr.h"

namespace actforge {

struct SpeedOptions {
  std::size_t elements = 1 << 20;
  int rounds = 9;           // of which the fastest counts: what interrupts a round only ever makes it slower
  std::string target = {};  // instruction set, the best if empty
};

// Nanoseconds per element of the kernel of an activation function, on one thread.
struct KernelSpeed {
  double forward = 0;
  double forward_backward = 0;  // with the gradients of its parameters
  double copy = 0;              // of the same memory: the limit
};
KernelSpeed measure_speed(const Expr& expr, const SpeedOptions& options = {});

// What a function costs against ReLU, both measured here and now: nanoseconds per number of the fused kernel, forward
// and backward, on one thread and on numbers that stay in the cache.
struct FunctionCost {
  double function = 0;
  double relu = 0;
  std::string_view target;  // instruction set

  double times_relu() const { return function / relu; }
};
FunctionCost measure_cost(const Expr& expr);
// `5.1 times ReLU (1.53 against 0.3 ns per number, forward and backward, fused kernels in the cache, one thread, AVX3)`
std::string cost_text(const FunctionCost& cost);

}  // namespace actforge
