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
  // y, first and second may be null where they are not wanted.
  using BinaryBoth = void (*)(const float* a, const float* b, float* y, float* first, float* second, std::size_t n);

  std::string_view name;
  std::size_t lanes = 1;
  std::array<Unary, kOpCount> value{};
  std::array<Unary, kOpCount> slope{};
  std::array<UnaryBoth, kOpCount> both{};
  std::array<Binary, kOpCount> value2{};
  std::array<BinaryBoth, kOpCount> both2{};
  // max and min where the first argument is a constant, which takes all of a tie.
  std::array<BinaryBoth, kOpCount> both2_constant{};

  // The pieces of a backward sweep. In the first two a zero factor gives zero whatever the other is.
  Binary chain = nullptr;         // y = a b
  Binary chain_add = nullptr;     // y += a b
  Binary multiply = nullptr;      // y = a b
  Binary multiply_add = nullptr;  // y += a b
  Unary copy = nullptr;
  Unary add = nullptr;       // y += a
  Unary negate = nullptr;    // y = -a
  Unary subtract = nullptr;  // y -= a
  void (*fill)(float value, float* y, std::size_t n) = nullptr;
  double (*sum)(const float* a, std::size_t n) = nullptr;
};

// The tables that this machine can run, best first. The last is plain C++ without vector instructions.
std::span<const KernelTable> kernel_tables();

}  // namespace actforge
