#pragma once

#include <cstdint>
#include <vector>

#include "actforge/expr/language/graph.h"

namespace actforge {

// A block of numbers: the caller's, or a scratch block.
using Register = std::uint32_t;
inline constexpr Register kRegisterX = 0;
inline constexpr Register kRegisterResult = 1;  // y forward, the gradient of x backward
inline constexpr Register kRegisterGradY = 2;
inline constexpr Register kFirstScratch = 3;
inline constexpr Register kNoRegister = static_cast<Register>(-1);

enum class Action : std::uint8_t {
  kValue,              // y = op(a), or op(a, b)
  kBoth,               // y = op(a), slope = op'(a)
  kPull,               // y (+)= op'(a) g
  kPull2,              // y (+)= g times the slope in a, y2 (+)= g times the slope in b
  kPull2Constant,      // the same, for max and min of a constant a
  kProduct,            // y (+)= a g
  kCopy,               // y = a
  kAdd,                // y += a
  kNegate,             // y = -a
  kSubtract,           // y -= a
  kParameterGradient,  // gradient of parameter `slot` += sum of a g, by way of y
};

struct KernelStep {
  Action action;
  Op op = Op::kIdentity;
  Register y = kNoRegister;
  Register a = kNoRegister;
  Register b = kNoRegister;
  Register g = kNoRegister;
  Register slope = kNoRegister;
  Register y2 = kNoRegister;
  bool add = false;   // to what y holds
  bool add2 = false;  // to what y2 holds
  std::uint32_t slot = 0;
};

// What to do for one block.
struct KernelProgram {
  struct Constant {
    Register target;
    float value;
  };
  struct ParameterUse {
    Register target;
    std::uint32_t slot;
  };

  std::vector<Constant> constants;        // filled once
  std::vector<ParameterUse> parameters;   // filled for every block
  std::vector<KernelStep> uniform_steps;  // values that depend on parameters alone: once, where those are per layer
  std::vector<KernelStep> steps;
  std::uint32_t scratch_count = 0;
  bool guarded = false;  // some value or slope can be infinite: products with zero need care
};

KernelProgram compile_forward(const Graph& graph);
// Reverse-mode differentiation: the values again, with the slopes that are worth keeping, then the adjoints from the
// root down. `is_cheap` says of which operators the slope is not.
KernelProgram compile_backward(const Graph& graph, std::span<const bool> is_cheap);

}  // namespace actforge
