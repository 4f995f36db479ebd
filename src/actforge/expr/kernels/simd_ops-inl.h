// The float32 kernel of every unary operator: one struct per operator with `value` and `both` (value and slope). Where
// the slope costs next to nothing the backward sweep computes it again instead of keeping it: `kCheapSlope`, and
// `pull(x, g)` for g times the slope where there is a shorter way to it. `kCost` is explained in kernel_cost.cpp.
#if defined(ACTFORGE_EXPR_SIMD_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_OPS_INL_H_
#undef ACTFORGE_EXPR_SIMD_OPS_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_OPS_INL_H_
#endif

#include <limits>
#include <string_view>

#include "actforge/expr/kernels/simd_elementary-inl.h"
#include "actforge/expr/kernels/simd_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ACTFORGE_SIMD::HWY_NAMESPACE {

struct Both {
  V value;
  V slope;
};

// ---- elementary

struct Negative {
  static constexpr std::string_view kName = "negative";
  static constexpr double kCost = 0.1;
  static HWY_INLINE V value(V x) { return hn::Neg(x); }
  static HWY_INLINE Both both(V x) { return {hn::Neg(x), c(-1)}; }
  static HWY_INLINE V pull(V, V g) { return hn::Neg(g); }
  static constexpr bool kCheapSlope = true;
};

struct AbsOp {
  static constexpr std::string_view kName = "abs";
  static constexpr double kCost = 0.3;
  static HWY_INLINE V value(V x) { return hn::Abs(x); }
  static HWY_INLINE Both both(V x) {
    return {hn::Abs(x), hn::IfThenZeroElse(hn::Eq(x, zero()), with_sign_of(c(1), x))};
  }
  static HWY_INLINE V pull(V x, V g) {
    return hn::IfThenZeroElse(hn::Eq(x, zero()), hn::Xor(g, hn::And(x, hn::SignBit(D()))));
  }
  static constexpr bool kCheapSlope = true;
};

struct Reciprocal {
  static constexpr std::string_view kName = "reciprocal";
  static constexpr double kCost = 0.7;
  static HWY_INLINE V value(V x) { return hn::Div(c(1), x); }
  static HWY_INLINE Both both(V x) {
    const V y = value(x);
    return {y, hn::Neg(hn::Mul(y, y))};
  }
};

struct Square {
  static constexpr std::string_view kName = "square";
  static constexpr double kCost = 0.2;
  static HWY_INLINE V value(V x) { return hn::Mul(x, x); }
  static HWY_INLINE Both both(V x) { return {hn::Mul(x, x), hn::Add(x, x)}; }
  static constexpr bool kCheapSlope = true;
};

struct Cube {
  static constexpr std::string_view kName = "cube";
  static constexpr double kCost = 0.2;
  static HWY_INLINE V value(V x) { return hn::Mul(hn::Mul(x, x), x); }
  static HWY_INLINE Both both(V x) {
    const V s = hn::Mul(x, x);
    return {hn::Mul(s, x), hn::Mul(s, c(3))};
  }
  static constexpr bool kCheapSlope = true;
};

struct SqrtOp {
  static constexpr std::string_view kName = "sqrt";
  static constexpr double kCost = 2;
  static HWY_INLINE V value(V x) { return hn::Sqrt(x); }
  static HWY_INLINE Both both(V x) {
    const V y = hn::Sqrt(x);
    return {y, hn::Div(c(0.5f), y)};
  }
};

// ---- piecewise linear

struct Relu {
  static constexpr std::string_view kName = "relu";
  static constexpr double kCost = 0.3;
  static HWY_INLINE V value(V x) { return hn::IfThenZeroElse(hn::Le(x, zero()), x); }
  static HWY_INLINE Both both(V x) { return {value(x), hn::IfThenElseZero(hn::Gt(x, zero()), c(1))}; }
  static HWY_INLINE V pull(V x, V g) { return hn::IfThenElseZero(hn::Gt(x, zero()), g); }
  static constexpr bool kCheapSlope = true;
};

struct Min0 {
  static constexpr std::string_view kName = "min0";
  static constexpr double kCost = 0.2;
  static HWY_INLINE V value(V x) { return hn::IfThenZeroElse(hn::Gt(x, zero()), x); }
  static HWY_INLINE Both both(V x) { return {value(x), hn::IfThenElseZero(hn::Lt(x, zero()), c(1))}; }
  static HWY_INLINE V pull(V x, V g) { return hn::IfThenElseZero(hn::Lt(x, zero()), g); }
  static constexpr bool kCheapSlope = true;
};

struct LeakyRelu {
  static constexpr std::string_view kName = "leaky_relu";
  static constexpr double kCost = 0.2;
  static HWY_INLINE V value(V x) { return hn::IfThenElse(hn::Lt(x, zero()), hn::Mul(x, c(0.01f)), x); }
  static HWY_INLINE Both both(V x) { return {value(x), hn::IfThenElse(hn::Gt(x, zero()), c(1), c(0.01f))}; }
  static HWY_INLINE V pull(V x, V g) { return hn::IfThenElse(hn::Gt(x, zero()), g, hn::Mul(g, c(0.01f))); }
  static constexpr bool kCheapSlope = true;
};

struct HardSigmoid {
  static constexpr std::string_view kName = "hard_sigmoid";
  static constexpr double kCost = 0.2;
  static HWY_INLINE V value(V x) {
    const V line = mul_add(x, c(0.2f), c(0.5f));
    return hn::IfThenZeroElse(hn::Le(x, c(-2.5f)), hn::IfThenElse(hn::Ge(x, c(2.5f)), c(1), line));
  }
  static HWY_INLINE Both both(V x) { return {value(x), hn::IfThenElseZero(hn::Lt(hn::Abs(x), c(2.5f)), c(0.2f))}; }
  static HWY_INLINE V pull(V x, V g) { return hn::IfThenElseZero(hn::Lt(hn::Abs(x), c(2.5f)), hn::Mul(g, c(0.2f))); }
  static constexpr bool kCheapSlope = true;
};

// ---- exponentials

struct ExpOp {
  static constexpr std::string_view kName = "exp";
  static constexpr double kCost = 3.4;
  static HWY_INLINE V value(V x) { return exp_any(x); }
  static HWY_INLINE Both both(V x) {
    const V y = exp_any(x);
    return {y, y};
  }
};

struct Expm1Op {
  static constexpr std::string_view kName = "expm1";
  static constexpr double kCost = 5.6;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const V e = exp_any(x);
    const V near = exp_core<1>(at_most(at_least(x, -1), 1)).expm1;  // where e^x - 1 would cancel
    const V y = hn::IfThenElse(hn::Lt(hn::Abs(x), c(1)), near, hn::Sub(e, c(1)));
    return {hn::IfThenElse(hn::Eq(x, zero()), x, y), e};  // keeps the sign of 0
  }
};

struct Gauss {
  static constexpr std::string_view kName = "gauss";
  static constexpr double kCost = 4;
  static HWY_INLINE V value(V x) { return exp_minus_square(x); }
  static HWY_INLINE Both both(V x) {
    const V y = exp_minus_square(x);
    return {y, hn::Mul(hn::Mul(c(-2), at_most(at_least(x, -kExpRange), kExpRange)), y)};
  }
};

// cosh and sinh from h = e^|x|/2, a product that overflows only where they do: h ± 1/(4h). Below 1, where that cancels,
// sinh is its Taylor series; the next term is below 3e-8 of it.
struct Hyperbolic {
  V cosh;
  V sinh;
};
HWY_INLINE Hyperbolic hyperbolic(V x) {
  const V a = hn::Abs(x), x2 = hn::Mul(x, x);
  const V root = exp_core<1, 2>(at_most(a, 2 * kExpRange)).exp;
  const V h = hn::Mul(hn::Mul(root, c(0.5f)), root);
  const V q = hn::Div(c(0.25f), h);
  const V high = mul_add(x2, c(1.0f / 362880), c(1.0f / 5040)), low = mul_add(x2, c(1.0f / 120), c(1.0f / 6));
  const V series = mul_add(mul_add(high, hn::Mul(x2, x2), low), hn::Mul(x2, x), x);
  return {hn::Add(h, q), hn::IfThenElse(hn::Lt(a, c(1)), series, with_sign_of(hn::Sub(h, q), x))};
}

struct Cosh {
  static constexpr std::string_view kName = "cosh";
  static constexpr double kCost = 5.6;
  static HWY_INLINE V value(V x) { return hyperbolic(x).cosh; }
  static HWY_INLINE Both both(V x) {
    const Hyperbolic h = hyperbolic(x);
    return {h.cosh, h.sinh};
  }
};

struct Sinh {
  static constexpr std::string_view kName = "sinh";
  static constexpr double kCost = 5.6;
  static HWY_INLINE V value(V x) { return hyperbolic(x).sinh; }
  static HWY_INLINE Both both(V x) {
    const Hyperbolic h = hyperbolic(x);
    return {h.sinh, h.cosh};
  }
};

struct Tanh {
  static constexpr std::string_view kName = "tanh";
  static constexpr double kCost = 4.6;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    // With m = e^(2x) - 1: tanh = m/(m + 2), slope 4(m + 1)/(m + 2)²; nothing cancels at 0 or far out.
    constexpr float kRange = kExpRange / 2;
    const ExpPair e = exp_core<2>(at_most(at_least(x, -kRange), kRange));
    const V q = hn::Div(c(1), hn::Add(e.expm1, c(2)));
    return {hn::Mul(e.expm1, q), zero_beyond(hn::Abs(x), kRange, hn::Mul(hn::Mul(hn::Mul(c(4), e.exp), q), q))};
  }
};

struct Sigmoid {
  static constexpr std::string_view kName = "sigmoid";
  static constexpr double kCost = 4.3;
  static HWY_INLINE V value(V x) { return sigmoid_pair(x).value; }
  static HWY_INLINE Both both(V x) {
    const GatePair s = sigmoid_pair(x);
    return {s.value, s.slope};
  }
};

struct Softplus {
  static constexpr std::string_view kName = "softplus";
  static constexpr double kCost = 5.7;
  static HWY_INLINE V value(V x) {
    return hn::Add(hn::IfThenZeroElse(hn::Lt(x, zero()), x), log1p_unit(exp_minus_magnitude(x)));
  }
  static HWY_INLINE Both both(V x) {
    const V e = exp_minus_magnitude(x);
    const V q = hn::Div(c(1), hn::Add(c(1), e));
    const auto negative = hn::Lt(x, zero());
    return {hn::Add(hn::IfThenZeroElse(negative, x), log1p_unit(e)), hn::IfThenElse(negative, hn::Mul(e, q), q)};
  }
  static HWY_INLINE V slope(V x) { return sigmoid_pair(x).value; }
};

struct LogSigmoid {
  static constexpr std::string_view kName = "log_sigmoid";
  static constexpr double kCost = 5.8;
  static HWY_INLINE V value(V x) { return hn::Neg(Softplus::value(hn::Neg(x))); }
  static HWY_INLINE Both both(V x) {
    const Both s = Softplus::both(hn::Neg(x));
    return {hn::Neg(s.value), s.slope};
  }
  static HWY_INLINE V slope(V x) { return Softplus::slope(hn::Neg(x)); }
};

struct Swish {
  static constexpr std::string_view kName = "swish";
  static constexpr double kCost = 4.8;
  static HWY_INLINE V value(V x) { return gated(x, sigmoid_pair(x).value); }
  static HWY_INLINE Both both(V x) {
    const GatePair s = sigmoid_pair(x);
    return {gated(x, s.value), gated_slope(x, s)};
  }
};

struct Gelu {
  static constexpr std::string_view kName = "gelu";
  static constexpr double kCost = 8.3;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const V inside = at_most(at_least(x, -kExpRange), kExpRange);
    const V x2 = hn::Mul(inside, inside);
    const V cubic = mul_add(hn::Mul(x2, inside), c(0.044715f), inside);
    const GatePair s = sigmoid_pair(hn::Mul(c(1.59576912f), cubic));
    const V argument_slope = hn::Mul(c(1.59576912f), mul_add(x2, c(3 * 0.044715f), c(1)));
    return {gated(x, s.value), mul_add(inside, hn::Mul(s.slope, argument_slope), s.value)};
  }
};

struct Mish {
  static constexpr std::string_view kName = "mish";
  static constexpr double kCost = 8.3;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    // tanh(softplus(x)) and its slope from e = e^-|x|, as in the reference.
    const V e = exp_minus_magnitude(x);
    const auto positive = hn::Ge(x, zero());
    const V two_e = hn::Add(e, e);
    const V n = hn::IfThenElse(positive, hn::Add(c(1), two_e), mul_add(e, e, two_e));
    const V q = hn::Div(c(1), hn::Add(n, hn::IfThenElse(positive, hn::Mul(two_e, e), c(2))));
    const V bell = hn::Mul(hn::Mul(hn::Mul(c(4), e), hn::Add(c(1), e)), hn::Mul(q, q));
    const GatePair gate = {hn::Mul(n, q), hn::Mul(bell, hn::IfThenElse(positive, e, c(1)))};
    return {gated(x, gate.value), gated_slope(x, gate)};
  }
};

struct Elu {
  static constexpr std::string_view kName = "elu";
  static constexpr double kCost = 3.2;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const ExpPair e = exp_core<1>(at_least(at_most(x, 0), -kExpRange));
    const auto negative = hn::Lt(x, zero());
    return {hn::IfThenElse(negative, e.expm1, x),
            hn::IfThenElse(negative, zero_beyond(hn::Neg(x), kExpRange, e.exp), c(1))};
  }
};

struct Selu {
  static constexpr std::string_view kName = "selu";
  static constexpr double kCost = 3.6;
  static constexpr float kScale = 1.05070098f;
  static constexpr float kSlope = static_cast<float>(1.05070098 * 1.67326324);
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const ExpPair e = exp_core<1>(at_least(at_most(x, 0), -kExpRange));
    const auto negative = hn::Lt(x, zero());
    return {hn::IfThenElse(negative, hn::Mul(c(kSlope), e.expm1), hn::Mul(c(kScale), x)),
            hn::IfThenElse(negative, zero_beyond(hn::Neg(x), kExpRange, hn::Mul(c(kSlope), e.exp)), c(kScale))};
  }
};

// ---- others

struct Softsign {
  static constexpr std::string_view kName = "softsign";
  static constexpr double kCost = 0.7;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const V a = hn::Abs(x);
    const V q = hn::Div(c(1), hn::Add(c(1), a));
    const V y = hn::IfThenElse(hn::Eq(q, zero()), with_sign_of(c(1), x), hn::Mul(x, q));
    return {y, hn::Mul(q, q)};
  }
};

struct LogAbsEps {
  static constexpr std::string_view kName = "log_abs_eps";
  static constexpr double kCost = 3.6;
  static HWY_INLINE V value(V x) {
    const V a = hn::Abs(hn::Add(x, c(1e-7f)));
    const V y = log_positive(D(), a);
    const V infinity = c(std::numeric_limits<float>::infinity());
    return keep_nan(x, hn::IfThenElse(hn::Eq(a, zero()), hn::Neg(infinity), hn::IfThenElse(hn::Eq(a, infinity), a, y)));
  }
  static HWY_INLINE Both both(V x) { return {value(x), hn::Div(c(1), hn::Add(x, c(1e-7f)))}; }
};

// The library's reduction is good to here; beyond, and at infinity, there is no angle left in a float.
inline constexpr float kLargestAngle = 39000.0f;
HWY_INLINE V outside_is_nan(V x, V y) {
  return hn::IfThenElse(hn::Le(hn::Abs(x), c(kLargestAngle)), y, c(std::numeric_limits<float>::quiet_NaN()));
}

struct Sin {
  static constexpr std::string_view kName = "sin";
  static constexpr double kCost = 4.5;
  static HWY_INLINE V value(V x) { return outside_is_nan(x, sine(x)); }
  static HWY_INLINE Both both(V x) { return {value(x), outside_is_nan(x, cosine(x))}; }
};

struct Cos {
  static constexpr std::string_view kName = "cos";
  static constexpr double kCost = 4.7;
  static HWY_INLINE V value(V x) { return outside_is_nan(x, cosine(x)); }
  static HWY_INLINE Both both(V x) { return {value(x), hn::Neg(Sin::value(x))}; }
};

struct Sinc {
  static constexpr std::string_view kName = "sinc";
  static constexpr double kCost = 9.8;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    const V a = hn::Abs(x), s = hn::Mul(x, x);
    const V y = hn::IfThenElse(hn::Lt(a, c(1e-3f)), neg_mul_add(s, c(1.0f / 6), c(1)), hn::Div(sine(x), x));
    const V slope = hn::Div(hn::Sub(cosine(x), y), x);
    // Where cos x - sinc x cancels, the Taylor series; the next term is below 2e-9 of it up to 1.
    V t = mul_add(s, c(-1.0f / 3991680), c(1.0f / 45360));
    t = mul_add(t, s, c(-1.0f / 840));
    t = mul_add(t, s, c(1.0f / 30));
    t = mul_add(t, s, c(-1.0f / 3));
    const V near = hn::Mul(t, x);
    const auto in_range = hn::Le(a, c(kLargestAngle));
    return {keep_nan(x, hn::IfThenElseZero(in_range, y)),
            keep_nan(x, hn::IfThenElseZero(in_range, hn::IfThenElse(hn::Lt(a, c(1)), near, slope)))};
  }
};

struct Arcsinh {
  static constexpr std::string_view kName = "arcsinh";
  static constexpr double kCost = 6;
  static HWY_INLINE V value(V x) { return both(x).value; }
  static HWY_INLINE Both both(V x) {
    // log(a + sqrt(1 + a²)), and below 0.75, where the logarithm has no digits to spare, a series. Beyond 2^60, where
    // a² could overflow, log(2a) is the same to the last bit.
    const V a = hn::Abs(x), b = at_most(a, 1.15292150e18f), z = hn::Mul(b, b);
    const V root = hn::Sqrt(hn::Add(z, c(1)));
    const V series = mul_add(polynomial(kArcsinhP, z, hn::Mul(z, z)), hn::Mul(z, x), x);
    const auto large = hn::Gt(a, b);
    const V far =
        hn::Add(log_from_one(hn::IfThenElse(large, a, hn::Add(b, root))), hn::IfThenElseZero(large, c(0.693147181f)));
    const V infinity = c(std::numeric_limits<float>::infinity());
    const V magnitude = hn::IfThenElse(hn::Lt(a, infinity), far, a);  // ±inf and NaN stay themselves
    return {hn::IfThenElse(hn::Lt(a, c(0.75f)), series, with_sign_of(magnitude, x)),
            hn::Div(c(1), hn::IfThenElse(large, a, root))};
  }
};

struct Arctan {
  static constexpr std::string_view kName = "arctan";
  static constexpr double kCost = 2.8;
  static HWY_INLINE V value(V x) { return keep_nan(x, arc_tangent(x)); }
  static HWY_INLINE Both both(V x) { return {value(x), hn::Div(c(1), mul_add(x, x, c(1)))}; }
};

struct Arctanh {
  static constexpr std::string_view kName = "arctanh";
  static constexpr double kCost = 5.9;
  static HWY_INLINE V value(V x) {
    const V a = hn::Abs(x);
    const V y =
        hn::IfThenElse(hn::Eq(a, c(1)), with_sign_of(c(std::numeric_limits<float>::infinity()), x), area_tangent(x));
    return hn::IfThenElse(hn::Le(a, c(1)), y, c(std::numeric_limits<float>::quiet_NaN()));
  }
  static HWY_INLINE Both both(V x) {
    const V slope = hn::Div(c(1), hn::Mul(hn::Sub(c(1), x), hn::Add(c(1), x)));
    return {value(x), hn::IfThenElse(hn::Le(hn::Abs(x), c(1)), slope, c(std::numeric_limits<float>::quiet_NaN()))};
  }
};

struct Erf {
  static constexpr std::string_view kName = "erf";
  static constexpr double kCost = 4;
  static HWY_INLINE V value(V x) { return erf(x); }
  static HWY_INLINE Both both(V x) { return {erf(x), hn::Mul(c(1.12837917f), exp_minus_square(x))}; }
};

struct Erfc {
  static constexpr std::string_view kName = "erfc";
  static constexpr double kCost = 5.6;
  static HWY_INLINE V value(V x) { return erfc(x); }
  static HWY_INLINE Both both(V x) { return {erfc(x), hn::Mul(c(-1.12837917f), exp_minus_square(x))}; }
};

struct BesselI0e {
  static constexpr std::string_view kName = "bessel_i0e";
  static constexpr double kCost = 5.7;
  static HWY_INLINE V value(V x) { return bessel_i0e(x); }
  static HWY_INLINE Both both(V x) { return {bessel_i0e(x), bessel_i0e_slope(x)}; }
};

struct BesselI1e {
  static constexpr std::string_view kName = "bessel_i1e";
  static constexpr double kCost = 6.2;
  static HWY_INLINE V value(V x) { return bessel_i1e(x); }
  static HWY_INLINE Both both(V x) { return {bessel_i1e(x), bessel_i1e_slope(x)}; }
};

// All of them: a kernel that is not in this list is not found, which a test notices.
using UnaryKernels =
    Kernels<Negative, AbsOp, Reciprocal, Square, ExpOp, Erf, Erfc, Sinh, Cosh, Tanh, Expm1Op, Sigmoid, LogSigmoid,
            Arcsinh, Arctan, BesselI0e, BesselI1e, Relu, Elu, Selu, Swish, Softplus, Softsign, HardSigmoid, Cube,
            SqrtOp, Gauss, LogAbsEps, Sin, Cos, Arctanh, Min0, Sinc, LeakyRelu, Gelu, Mish>;

}  // namespace ACTFORGE_SIMD::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
