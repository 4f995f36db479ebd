#pragma once

#include <cstddef>
#include <string>

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

}  // namespace actforge
