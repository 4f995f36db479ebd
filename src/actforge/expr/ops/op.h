#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace actforge {

// The operators and named functions of the language: where they stand in the table. One has a name here only if some
// code treats it in its own way; a row without gets the next free place (see OpInfo::op).
enum class Op : std::uint8_t {
  // clang-format off
  kZero, kOne, kIdentity, kNegative, kAbs, kReciprocal, kSquare, kExp, kErf, kErfc, kSinh, kCosh, kTanh, kExpm1, kSigmoid,
  kLogSigmoid, kArcsinh, kArctan, kBesselI0e, kBesselI1e, kRelu, kElu, kSelu, kSwish, kSoftplus, kSoftsign, kHardSigmoid,
  kCube, kSqrt, kGauss, kLogAbsEps, kSin, kCos, kArctanh, kMin0, kSinc,
  kLeakyRelu, kGelu, kMish, kElish, kPrelu, kPswish, kApl, kPau, kSplash,
  kAdd, kSub, kMul, kDiv, kPow, kMax, kMin, kDivNoNan, kDivEps,
  kSumN, kProdN, kMaxN, kMinN,
  // clang-format on
};
inline constexpr std::size_t kNamedOps = static_cast<std::size_t>(Op::kMinN) + 1;
inline constexpr std::size_t kMostOps = 128;  // rows that the table can have: for arrays with a place for each
inline constexpr Op kUnnamed{kMostOps};

inline constexpr int kVariadic = -1;

// CAFE's epsilon. The dissertation does not give its size; this is Keras's default.
inline constexpr double kEpsilon = 1e-7;

struct Wide;

enum class Parity : std::uint8_t { kNone, kEven, kOdd };

// An argument at which an operator is not smooth: order 0 where the value jumps or is infinite, 1 where the slope
// jumps, 2 where the curvature does.
struct Break {
  double at;
  int order;
};

struct Slopes {
  double first;
  double second;
};

// How other languages write the operator. {a} and {b} stand for the arguments ({A}: as the base of a power), {y} for
// the value; an ONNX spelling is a nest of ONNX operators (`Mul({a},Sigmoid({a}))`), attributes in brackets.
struct Spelling {
  std::string_view latex = {};
  std::string_view pytorch = {};
  std::string_view keras = {};
  std::string_view jax = {};
  std::string_view onnx = {};
  std::string_view cpp = {};
  std::string_view cpp_slope = {};   // derivative with respect to {a}
  std::string_view cpp_slope2 = {};  // and to {b}, for binary operators
};

// One row: all that the language knows of one operator. What cannot be here, since it is compiled per instruction set
// or needs LibTorch, is found by the operator's name: its vector kernel in expr/kernels/simd_ops-inl.h (or
// simd_binary_ops-inl.h) and its LibTorch form in torch/execute/torch_ops.cpp. Tests that walk the table miss either.
struct OpInfo {
  Op op = kUnnamed;
  std::string_view name;
  int arity;                          // 1, 2 or kVariadic
  std::string_view summary;           // the formula, for people
  std::string_view notes = {};        // what happens at the edges of the domain
  std::string_view definition = {};   // for a function defined in the language itself; all that follows is empty then
  double (*value)(double) = nullptr;  // unary
  double (*slope)(double) = nullptr;
  double (*value2)(double, double) = nullptr;  // binary, and the step of a variadic one
  Slopes (*slope2)(double, double) = nullptr;
  // The value of constants, where the C library takes part in the one above (see constant_value.h).
  Wide (*wide)(const Wide&) = nullptr;
  Wide (*wide2)(const Wide&, const Wide&) = nullptr;
  Parity parity = Parity::kNone;
  bool nonnegative = false;  // the value is never below +0
  std::vector<Break> breaks = {};
  // The value or the slope is infinite, in float32, somewhere short of the ends of its range: products of slopes with
  // zero need care.
  bool can_be_infinite = false;
  // Bends around 0, and is straight, flat or steep far out: where integrals need more points.
  bool bends = false;
  Spelling spelling = {};
};

std::span<const OpInfo> op_table();
const OpInfo& op_info(Op op);
const OpInfo* find_op(std::string_view name);
std::span<const std::string_view> op_names();

// The binary operator that an n-ary one repeats: add for sum_n. Any other operator is itself.
Op binary_step(Op op);

// The operator lists of the three systems, in the order of their tables.
std::span<const Op> pangaea_unary();
std::span<const Op> pangaea_binary();
std::span<const Op> cafe_unary();
std::span<const Op> cafe_binary();

}  // namespace actforge
