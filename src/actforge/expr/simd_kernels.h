#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "actforge/expr/op.h"

namespace actforge {

// Loops over blocks of float32, one per operator, for one instruction set. Lengths are multiples of `lanes`; a result
// may overwrite an argument. An entry is null where the canonical form has no such operator.
struct KernelTable {
  using Unary = void (*)(const float* a, float* y, std::size_t n);
  using UnaryBoth = void (*)(const float* a, float* y, float* slope, std::size_t n);
  using Binary = void (*)(const float* a, const float* b, float* y, std::size_t n);

  // g times the slope: y = ..., or y += ... where `add`.
  using Pull = void (*)(const float* a, const float* g, float* y, bool add, std::size_t n);
  // The shares of both arguments; a null target is not wanted.
  struct Target {
    float* y = nullptr;
    bool add = false;
  };
  using Pull2 = void (*)(const float* a, const float* b, const float* g, Target first, Target second, std::size_t n);

  // What multiplies adjoints by slopes. Guarded: a zero factor gives zero, whatever the other is, as sqrt(relu(x))
  // wants.
  struct Products {
    std::array<Pull, kOpCount> pull{};
    std::array<Pull2, kOpCount> pull2{};
    // max and min where the first argument is a constant, which takes all of a tie.
    std::array<Pull2, kOpCount> pull2_constant{};
    Pull product = nullptr;                                                  // a itself is the slope
    double (*dot)(const float* a, const float* b, std::size_t n) = nullptr;  // any length
  };

  std::string_view name;
  std::size_t lanes = 1;
  std::array<Unary, kOpCount> value{};
  std::array<UnaryBoth, kOpCount> both{};
  std::array<bool, kOpCount> cheap_slope{};  // the backward sweep computes it again instead of keeping it
  std::array<Binary, kOpCount> value2{};
  Products plain, guarded;
  Unary copy = nullptr;
  Unary add = nullptr;       // y += a
  Unary negate = nullptr;    // y = -a
  Unary subtract = nullptr;  // y -= a
  void (*fill)(float value, float* y, std::size_t n) = nullptr;
  double (*sum)(const float* a, std::size_t n) = nullptr;  // any length
};

// The tables that this machine can run, best first. On x86 the last is plain C++ without vector instructions.
std::span<const KernelTable> kernel_tables();

}  // namespace actforge
