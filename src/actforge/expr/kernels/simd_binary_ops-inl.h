// The float32 kernel of every binary operator: one struct per operator with `value`, and `both` (value and slopes) or
// `shares` (what each argument gets of the adjoint) where that is a selection. `kCost` is explained in kernel_cost.cpp.
#if defined(ACTFORGE_EXPR_SIMD_BINARY_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_BINARY_OPS_INL_H_
#undef ACTFORGE_EXPR_SIMD_BINARY_OPS_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_BINARY_OPS_INL_H_
#endif

#include <limits>
#include <string_view>

#include "actforge/expr/kernels/simd_elementary-inl.h"
#include "actforge/expr/kernels/simd_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ACTFORGE_SIMD::HWY_NAMESPACE {

struct BothSlopes {
  V value;
  V first;
  V second;
};

// Both arguments' shares of the adjoint g.
struct Shares {
  V first;
  V second;
};

struct Add {
  static constexpr std::string_view kName = "add";
  static constexpr double kCost = 0.1;
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V value(V a, V b) { return hn::Add(a, b); }
};

struct Sub {
  static constexpr std::string_view kName = "sub";
  static constexpr double kCost = 0.5;
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V value(V a, V b) { return hn::Sub(a, b); }
};

struct Mul {
  static constexpr std::string_view kName = "mul";
  static constexpr double kCost = 0.9;
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V value(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE BothSlopes both(V a, V b) { return {hn::Mul(a, b), b, a}; }
};

struct Max {
  static constexpr std::string_view kName = "max";
  static constexpr double kCost = 1.2;
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V value(V a, V b) {
    const V larger = hn::IfThenElse(hn::Or(hn::Gt(a, b), is_nan(a)), a, b);
    return hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), larger);  // equal: one and the same, or +0 of ±0
  }
  static HWY_INLINE Shares shares(V a, V b, V g) {
    const V tie = hn::IfThenElseZero(hn::Eq(a, b), hn::Mul(g, c(0.5f)));
    return {hn::IfThenElse(hn::Gt(a, b), g, tie), hn::IfThenElse(hn::Lt(a, b), g, tie)};
  }
};

struct Min {
  static constexpr std::string_view kName = "min";
  static constexpr double kCost = 1;
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V value(V a, V b) {
    const V smaller = hn::IfThenElse(hn::Or(hn::Lt(a, b), is_nan(a)), a, b);
    return hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), smaller);
  }
  static HWY_INLINE Shares shares(V a, V b, V g) {
    const Shares mirrored = Max::shares(a, b, g);
    return {mirrored.second, mirrored.first};
  }
};

struct Div {
  static constexpr std::string_view kName = "div";
  static constexpr double kCost = 2.2;
  static HWY_INLINE V value(V a, V b) { return hn::Div(a, b); }
  static HWY_INLINE BothSlopes both(V a, V b) {
    const V q = hn::Div(c(1), b);
    const V y = hn::Div(a, b);
    return {y, q, hn::Neg(hn::Mul(y, q))};
  }
};

struct DivNoNan {
  static constexpr std::string_view kName = "div_no_nan";
  static constexpr double kCost = 2.4;
  static HWY_INLINE V value(V a, V b) { return hn::IfThenZeroElse(hn::Eq(b, zero()), hn::Div(a, b)); }
  static HWY_INLINE BothSlopes both(V a, V b) {
    const auto undefined = hn::Eq(b, zero());
    const BothSlopes inner = Div::both(a, b);
    return {hn::IfThenZeroElse(undefined, inner.value), hn::IfThenZeroElse(undefined, inner.first),
            hn::IfThenZeroElse(undefined, inner.second)};
  }
};

struct DivEps {
  static constexpr std::string_view kName = "div_eps";
  static constexpr double kCost = 2.2;
  static HWY_INLINE V value(V a, V b) { return hn::Div(a, hn::Add(b, c(1e-7f))); }
  static HWY_INLINE BothSlopes both(V a, V b) { return Div::both(a, hn::Add(b, c(1e-7f))); }
};

// a^b = e^(b log|a|), in double precision: in float the product alone would lose seven bits of the result.
struct Pow {
  static constexpr std::string_view kName = "pow";
  static constexpr double kCost = 80;
#if HWY_TARGET == HWY_SCALAR
  using D64 = hn::Rebind<double, D>;
  using V64 = hn::VFromD<D64>;

  struct Wide {
    V64 low;
  };

  static HWY_INLINE Wide widen(V x) { return {hn::PromoteTo(D64(), x)}; }
  // Not DemoteTo, which stops at the largest float.
  static HWY_INLINE V narrow(const Wide& x) { return c(static_cast<float>(hn::GetLane(x.low))); }
  template <class F>
  static HWY_INLINE Wide each(const Wide& a, const Wide& b, F f) {
    return {f(a.low, b.low)};
  }
#else
  using D64 = hn::Repartition<double, D>;
  using V64 = hn::VFromD<D64>;

  struct Wide {
    V64 low, high;
  };

  static HWY_INLINE Wide widen(V x) {
    const hn::Half<D> half;
    return {hn::PromoteTo(D64(), hn::LowerHalf(half, x)), hn::PromoteTo(D64(), hn::UpperHalf(half, x))};
  }
  static HWY_INLINE V narrow(const Wide& x) {
    const hn::Half<D> half;
    return hn::Combine(D(), hn::DemoteTo(half, x.high), hn::DemoteTo(half, x.low));
  }
  template <class F>
  static HWY_INLINE Wide each(const Wide& a, const Wide& b, F f) {
    return {f(a.low, b.low), f(a.high, b.high)};
  }
#endif

  static HWY_INLINE V64 log_magnitude(V64 x) {
    const D64 d64;
    const V64 a = hn::Abs(x);
    const V64 infinity = hn::Set(d64, std::numeric_limits<double>::infinity());
    const V64 y = log_positive(d64, a);
    return hn::IfThenElse(hn::Eq(a, hn::Zero(d64)), hn::Neg(infinity),
                          hn::IfThenElse(hn::Eq(a, infinity), infinity, y));
  }

  static HWY_INLINE V64 exp_wide(V64 x) {
    const D64 d64;
    // Far inside double's range, far outside float's: narrowing gives 0 and inf.
    return exp_double(d64, hn::Min(hn::Max(x, hn::Set(d64, -300.0)), hn::Set(d64, 300.0)));
  }

  static HWY_INLINE V power(V a, V b, const Wide& log_a) {
    const V magnitude = narrow(each(widen(b), log_a, [](V64 p, V64 q) { return exp_wide(hn::Mul(p, q)); }));
    const V whole = hn::Floor(b);
    const auto is_integer = hn::Eq(whole, b);  // ±inf count as even integers
    const V half = hn::Mul(b, c(0.5f));
    const auto is_odd = hn::And(is_integer, hn::Ne(hn::Floor(half), half));
    const V infinity = c(std::numeric_limits<float>::infinity());
    V y = hn::IfThenElse(hn::And(is_odd, hn::Lt(with_sign_of(c(1), a), zero())), hn::Neg(magnitude), magnitude);
    const auto invalid = hn::And(hn::And(hn::Lt(a, zero()), hn::Ne(a, hn::Neg(infinity))), hn::Not(is_integer));
    y = hn::IfThenElse(invalid, c(std::numeric_limits<float>::quiet_NaN()), y);
    y = keep_nan(a, keep_nan(b, y));
    const auto unit = hn::And(hn::Eq(hn::Abs(a), c(1)), hn::Eq(hn::Abs(b), infinity));
    return hn::IfThenElse(hn::Or(hn::Or(hn::Eq(b, zero()), hn::Eq(a, c(1))), unit), c(1), y);
  }

  static HWY_INLINE Wide log_of(V a) {
    const Wide wide = widen(a);
    return each(wide, wide, [](V64 p, V64) { return log_magnitude(p); });
  }

  static HWY_INLINE V value(V a, V b) { return power(a, b, log_of(a)); }

  static HWY_INLINE BothSlopes both(V a, V b) {
    const Wide log_a = log_of(a);
    const V y = power(a, b, log_a);
    const V first = hn::IfThenZeroElse(hn::Eq(b, zero()), hn::Mul(b, power(a, hn::Sub(b, c(1)), log_a)));
    const V second = hn::IfThenZeroElse(hn::Le(a, zero()), hn::Mul(y, narrow(log_a)));
    return {y, first, second};
  }
};

// All of them: a kernel that is not in this list is not found, which a test notices.
using BinaryKernels = Kernels<Add, Sub, Mul, Div, DivNoNan, DivEps, Pow, Max, Min>;

}  // namespace ACTFORGE_SIMD::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
