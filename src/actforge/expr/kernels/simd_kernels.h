#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "actforge/expr/ops/op.h"

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
    std::array<Pull, kMostOps> pull{};
    std::array<Pull2, kMostOps> pull2{};
    // max and min where the first argument is a constant, which takes all of a tie.
    std::array<Pull2, kMostOps> pull2_constant{};
    Pull product = nullptr;                                                  // a itself is the slope
    double (*dot)(const float* a, const float* b, std::size_t n) = nullptr;  // any length
  };

  std::string_view name;
  std::size_t lanes = 1;
  bool fused = false;  // sums of products are rounded once: all such tables give the same bits
  std::array<Unary, kMostOps> value{};
  std::array<UnaryBoth, kMostOps> both{};
  std::array<bool, kMostOps> cheap_slope{};  // the backward sweep computes it again instead of keeping it
  std::array<Binary, kMostOps> value2{};
  std::array<double, kMostOps> cost{};  // forward and backward, in units of ReLU's: see kernel_cost.cpp
  Products plain, guarded;
  Unary copy = nullptr;
  Unary add = nullptr;       // y += a
  Unary negate = nullptr;    // y = -a
  Unary subtract = nullptr;  // y -= a
  void (*fill)(float value, float* y, std::size_t n) = nullptr;
  double (*sum)(const float* a, std::size_t n) = nullptr;  // any length
};

// The tables that this machine can run, best first. On x86 the last two are plain C++ without vector instructions: one
// for machines without any, and one that computes what vector instructions would.
std::span<const KernelTable> kernel_tables();

// The best one whose values are the same on every machine, to the last bit. Processors without fused multiply-add (x86
// before 2013) have it too, some ten times slower than their own.
const KernelTable& portable_table();

}  // namespace actforge
