#pragma once

#include <cstdint>
#include <vector>

#include "actforge/expr/graph.h"

namespace actforge {

// A block of numbers: the caller's, or a scratch block.
using Register = std::uint32_t;
inline constexpr Register kRegisterX = 0;
inline constexpr Register kRegisterResult = 1;  // y forward, the gradient of x backward
inline constexpr Register kRegisterGradY = 2;
inline constexpr Register kFirstScratch = 3;
inline constexpr Register kNoRegister = static_cast<Register>(-1);

enum class Action : std::uint8_t {
  kValue,             // y = op(a), or op(a, b)
  kSlope,             // first = op'(a)
  kBoth,              // y = op(a), first = op'(a);  or y, first, second of op(a, b)
  kBothConstant,      // the same, for max and min of a constant a
  kChain,             // y = a b, zero if either is
  kChainAdd,          // y += a b, likewise
  kMultiply,          // y = a b
  kMultiplyAdd,       // y += a b
  kCopy,              // y = a
  kAdd,               // y += a
  kNegate,            // y = -a
  kSubtract,          // y -= a
  kParameterGradient  // gradient of parameter `slot` += sum of a b, by way of y
};

struct Step {
  Action action;
  Op op = Op::kIdentity;
  Register y = kNoRegister;
  Register a = kNoRegister;
  Register b = kNoRegister;
  Register first = kNoRegister;
  Register second = kNoRegister;
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

  std::vector<Constant> constants;       // filled once
  std::vector<ParameterUse> parameters;  // filled for every block
  std::vector<Step> steps;
  std::uint32_t scratch_count = 0;
};

KernelProgram compile_forward(const Graph& graph);
// Reverse-mode differentiation: the values again, with the local slopes, then the adjoints from the root down.
KernelProgram compile_backward(const Graph& graph);

}  // namespace actforge
