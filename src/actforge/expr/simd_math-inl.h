// Vector functions in float32 that several operators share. Compiled once per instruction set (see simd_kernels.cpp).
#if defined(ACTFORGE_EXPR_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_MATH_INL_H_
#undef ACTFORGE_EXPR_SIMD_MATH_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_MATH_INL_H_
#endif

#include <cstddef>

#include "actforge/expr/simd_coefficients.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::VFromD<D>;
using M = decltype(hn::Eq(V(), V()));

HWY_INLINE V c(float value) { return hn::Set(D(), value); }
HWY_INLINE V zero() { return hn::Zero(D()); }
HWY_INLINE M is_nan(V x) { return hn::IsNaN(x); }  // Ne(x, x) is an ordered comparison on some targets
// Library functions and min/max instructions lose NaN in places; this puts it back.
HWY_INLINE V keep_nan(V x, V y) { return hn::IfThenElse(is_nan(x), x, y); }
HWY_INLINE V with_sign_of(V magnitude, V x) { return hn::CopySign(magnitude, x); }

// Even and odd powers apart: as many multiply-adds as Horner's rule, half as many in a row.
template <std::size_t N>
HWY_INLINE V polynomial(const float (&k)[N], V x, V x2) {
  constexpr std::size_t kTop = N - 1;
  constexpr std::size_t kEven = kTop - kTop % 2, kOdd = kTop - 1 + kTop % 2;
  V even = c(k[kEven]), odd = c(k[kOdd]);
  for (std::size_t i = kEven; i >= 2; i -= 2) even = hn::MulAdd(even, x2, c(k[i - 2]));
  for (std::size_t i = kOdd; i >= 3; i -= 2) odd = hn::MulAdd(odd, x2, c(k[i - 2]));
  return hn::MulAdd(odd, x, even);
}

struct ExpPair {
  V exp;
  V expm1;
};

// e^t and e^t - 1 for t <= 0. With t = n ln2 + r, |r| <= ln2/2, and p = e^r - 1 from its Taylor series (degree 7: the
// next term is below 6e-9), e^t = s + s p and e^t - 1 = (s - 1) + s p with s = 2^n: neither cancels. Below -87.3, where
// e^t leaves the normal numbers, e^t is 0.
HWY_INLINE ExpPair exp_nonpositive(V t) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto underflow = hn::Lt(t, c(-87.3f));
  const V clamped = hn::Max(t, c(-87.3f));
  const V n = hn::Round(hn::Mul(clamped, c(1.44269504f)));
  V r = hn::NegMulAdd(n, c(0.693145752f), clamped);  // ln2 in two parts; the first has few bits, so n·it is exact
  r = hn::NegMulAdd(n, c(1.42860677e-6f), r);
  const V r2 = hn::Mul(r, r);
  const V high =
      hn::MulAdd(hn::MulAdd(c(1.0f / 5040), r, c(1.0f / 720)), r2, hn::MulAdd(c(1.0f / 120), r, c(1.0f / 24)));
  const V low = hn::MulAdd(c(1.0f / 6), r, c(0.5f));
  const V p = hn::MulAdd(hn::MulAdd(high, r2, low), r2, r);
  const V s = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127))));
  ExpPair pair;
  pair.exp = hn::IfThenZeroElse(underflow, hn::MulAdd(s, p, s));
  pair.expm1 = hn::MulAdd(s, p, hn::Sub(s, c(1)));
  return pair;
}

// e^x for every x.
HWY_INLINE V exp_any(V x) {
  const V clamped = hn::Min(hn::Max(x, c(-104.5f)), c(89.5f));  // 0 and inf at these ends
  return keep_nan(x, hn::Exp(D(), clamped));
}

// log(1 + e) for 0 <= e <= 1.
HWY_INLINE V log1p_unit(V e) { return hn::Log1p(D(), e); }

struct GatePair {
  V value;
  V slope;
};

// The logistic function and its slope, from e = e^-|x| so that nothing overflows or cancels.
HWY_INLINE GatePair sigmoid_pair(V x) {
  const V e = exp_nonpositive(hn::Neg(hn::Abs(x))).exp;
  const V q = hn::Div(c(1), hn::Add(c(1), e));
  const V eq = hn::Mul(e, q);
  return {keep_nan(x, hn::IfThenElse(hn::Lt(x, zero()), eq, q)), keep_nan(x, hn::Mul(eq, q))};
}

// Far beyond this, gates are 0 or 1 to the last bit; x is clamped to it where it multiplies one that vanishes.
inline constexpr float kGateRange = 104.0f;

HWY_INLINE V gated(V x, V gate) { return hn::IfThenElse(hn::Lt(x, c(-kGateRange)), zero(), hn::Mul(x, gate)); }
HWY_INLINE V gated_slope(V x, const GatePair& gate) {
  const V inside = hn::Min(hn::Max(x, c(-kGateRange)), c(kGateRange));
  return keep_nan(x, hn::MulAdd(inside, gate.slope, gate.value));
}

// e^(-x²): the rounding error of x² would be magnified x² times, so it is carried along: e^-(h+l) = e^-h (1 - l).
HWY_INLINE V exp_minus_square(V x) {
  const V a = hn::Min(hn::Abs(x), c(10.5f));
  const V h = hn::Mul(a, a);
  const V l = hn::MulSub(a, a, h);
  const V e = exp_nonpositive(hn::Neg(h)).exp;
  return keep_nan(x, hn::NegMulAdd(e, l, e));
}

HWY_INLINE V erf(V x) {
  const V a = hn::Abs(x), z = hn::Mul(x, x), z2 = hn::Mul(z, z);
  const V r = hn::Mul(a, hn::Div(polynomial(kErfP, z, z2), polynomial(kErfQ, z, z2)));
  const auto saturated = hn::Or(hn::Gt(a, c(3.925f)), hn::Gt(r, c(1)));
  return with_sign_of(hn::IfThenElse(saturated, c(1), r), x);
}

HWY_INLINE V erfc(V x) {
  const V a = hn::Min(hn::Abs(x), c(10.5f)), a2 = hn::Mul(a, a);
  const V r = hn::Mul(exp_minus_square(x), hn::Div(polynomial(kErfcP, a, a2), polynomial(kErfcQ, a, a2)));
  return hn::IfThenElse(hn::Lt(x, zero()), hn::Sub(c(2), r), r);
}

// The Bessel functions: square roots of rational functions up to 8192, the leading asymptotic form beyond.
template <std::size_t P, std::size_t Q>
HWY_INLINE V bessel_ratio(V a, M far, const float (&p)[P], const float (&q)[Q], float far_numerator, float far_shift) {
  const V a2 = hn::Mul(a, a);
  const V numerator = hn::IfThenElse(far, c(far_numerator), polynomial(p, a, a2));
  const V denominator = hn::IfThenElse(far, hn::Add(a, c(far_shift)), polynomial(q, a, a2));
  return hn::Div(numerator, denominator);
}

HWY_INLINE V bessel_i0e(V x) {
  const V a = hn::Abs(x);
  return hn::Sqrt(bessel_ratio(a, hn::Gt(a, c(kBesselFar)), kI0eP, kI0eQ, kBesselFarValue, -0.25f));
}

HWY_INLINE V bessel_i1e(V x) {
  const V a = hn::Abs(x);
  const auto far = hn::Gt(a, c(kBesselFar));
  const V root = hn::Sqrt(bessel_ratio(a, far, kI1eP, kI1eQ, kBesselFarValue, 0.75f));
  return hn::Mul(hn::IfThenElse(far, with_sign_of(c(1), x), x), root);
}

HWY_INLINE V bessel_i0e_slope(V x) {
  const V a = hn::Abs(x);
  const auto far = hn::Gt(a, c(kBesselFar));
  const V t = bessel_ratio(a, far, kI0eSlopeP, kI0eSlopeQ, kBesselFarSlope, -0.25f);
  const V r = hn::Mul(hn::IfThenElse(far, t, c(1)), hn::Sqrt(t));
  return hn::IfThenZeroElse(hn::Eq(x, zero()), with_sign_of(r, hn::Neg(x)));
}

HWY_INLINE V bessel_i1e_slope(V x) {
  const V a = hn::Abs(x);
  const auto far = hn::Gt(a, c(kBesselFar));
  const V t = bessel_ratio(a, far, kI1eSlopeP, kI1eSlopeQ, kBesselFarSlope, 0.75f);
  const V root = hn::Add(hn::Sub(c(kI1eSlopeZero), a), c(kI1eSlopeZeroLow));
  return hn::Mul(hn::IfThenElse(far, hn::Neg(t), root), hn::Sqrt(t));
}

}  // namespace actforge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
