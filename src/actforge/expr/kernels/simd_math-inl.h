// Vector functions in float32 that several operators share. Compiled once per instruction set (see simd_kernels.cpp).
#if defined(ACTFORGE_EXPR_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_MATH_INL_H_
#undef ACTFORGE_EXPR_SIMD_MATH_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_MATH_INL_H_
#endif

#include <cmath>
#include <cstddef>
#include <limits>

#include "actforge/expr/kernels/simd_coefficients.h"
#include "hwy/highway.h"

// Where the code goes, but for a file that needs it in its own way and in a place of its own.
#ifndef ACTFORGE_SIMD
#define ACTFORGE_SIMD actforge
#endif

// Whether a b + c is rounded once. Instruction sets that do so give the same bits, lane by lane, as each other: all
// else that the kernels use (sums, products, quotients, square roots, comparisons, bits) IEEE 754 defines to the last
// bit, and the compiler is told to fuse nothing by itself.
#undef ACTFORGE_FUSED
#if HWY_NATIVE_FMA || defined(ACTFORGE_EXACT_FMA)
#define ACTFORGE_FUSED 1
#else
#define ACTFORGE_FUSED 0
#endif

HWY_BEFORE_NAMESPACE();
namespace ACTFORGE_SIMD::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::VFromD<D>;
using M = decltype(hn::Eq(V(), V()));

// A list of operators' kernels.
template <class... F>
struct Kernels {};

inline constexpr bool kFused = ACTFORGE_FUSED;

// a b + c, a b - c and c - a b, of float or double.
template <class N>
HWY_INLINE N mul_add(N a, N b, N c) {
#if defined(ACTFORGE_EXACT_FMA)  // the library's function gives the number that the instruction would
  return hn::Set(hn::DFromV<N>(), std::fma(hn::GetLane(a), hn::GetLane(b), hn::GetLane(c)));
#else
  return hn::MulAdd(a, b, c);
#endif
}
template <class N>
HWY_INLINE N mul_sub(N a, N b, N c) {
#if defined(ACTFORGE_EXACT_FMA)
  return mul_add(a, b, hn::Neg(c));
#else
  return hn::MulSub(a, b, c);
#endif
}
template <class N>
HWY_INLINE N neg_mul_add(N a, N b, N c) {
#if defined(ACTFORGE_EXACT_FMA)
  return mul_add(hn::Neg(a), b, c);
#else
  return hn::NegMulAdd(a, b, c);
#endif
}

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
  for (std::size_t i = kEven; i >= 2; i -= 2) even = mul_add(even, x2, c(k[i - 2]));
  for (std::size_t i = kOdd; i >= 3; i -= 2) odd = mul_add(odd, x2, c(k[i - 2]));
  return mul_add(odd, x, even);
}

// NaN passes: on x86 a minimum or maximum with it gives the second operand, elsewhere a comparison with it is false.
HWY_INLINE V at_least(V x, float low) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(c(low), x);
#else
  return hn::IfThenElse(hn::Lt(x, c(low)), c(low), x);
#endif
}
HWY_INLINE V at_most(V x, float high) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Min(c(high), x);
#else
  return hn::IfThenElse(hn::Gt(x, c(high)), c(high), x);
#endif
}

struct ExpPair {
  V exp;
  V expm1;
};

// e^(kx) and e^(kx) - 1 for |kx| <= 87.3, k a constant that costs nothing. kx log2(e) = n + f with |f| <= 1/2; q = 2^f
// - 1 and s = 2^n give s + s q and (s - 1) + s q, neither of which cancels. Adding 1.5·2^23 + 127 rounds to an integer
// and leaves n + 127, the exponent's bits of s, at the lower end of the sum's.
template <int kNumerator, int kDenominator = 1>
HWY_INLINE ExpPair exp_core(V x) {
  constexpr double kFactor = 1.4426950408889634 * kNumerator / kDenominator;
  constexpr float kHigh = static_cast<float>(kFactor);
  [[maybe_unused]] constexpr float kLow = static_cast<float>(kFactor - kHigh);
  constexpr float kMagic = 12582912.0f + 127.0f;
  const hn::RebindToSigned<D> di;
  const V z = mul_add(x, c(kHigh), c(kMagic));
  const V s = hn::BitCast(D(), hn::ShiftLeft<23>(hn::BitCast(di, z)));
  const V n = hn::Sub(z, c(kMagic));
#if !ACTFORGE_FUSED  // the other way needs the exact product
  const V f = c(static_cast<float>(kFactor * hn::GetLane(x) - hn::GetLane(n)));
#else
  const V f = mul_add(x, c(kLow), mul_sub(x, c(kHigh), n));
#endif
  const V q = hn::Mul(f, polynomial(kExp2P, f, hn::Mul(f, f)));
  return {mul_add(s, q, s), mul_add(s, q, hn::Sub(s, c(1)))};
}

// The normal numbers end here; beyond, e^-x is 0.
inline constexpr float kExpRange = 87.3f;
HWY_INLINE V zero_beyond(V x, float range, V y) { return hn::IfThenZeroElse(hn::Gt(x, c(range)), y); }

// e^x for every x, as a square, which overflows and underflows where e^x does.
HWY_INLINE V exp_any(V x) {
  const V root = exp_core<1, 2>(at_most(at_least(x, -2 * kExpRange), 2 * kExpRange)).exp;
  return hn::Mul(root, root);
}

// e^-|x|.
HWY_INLINE V exp_minus_magnitude(V x) {
  const V a = hn::Abs(x);
  return zero_beyond(a, kExpRange, exp_core<-1>(at_most(a, kExpRange)).exp);
}

// log(1 + e) for 0 <= e <= 1.
HWY_INLINE V log1p_unit(V e) { return hn::Mul(e, polynomial(kLog1pP, e, hn::Mul(e, e))); }

// log(v) for normal v >= 1: the exponent, and the series at the mantissa scaled to sqrt(1/2) .. sqrt(2).
HWY_INLINE V log_from_one(V v) {
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(di, v);
  const auto exponent = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const V f = hn::Sub(hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<23>(exponent))), c(1));
  const V f2 = hn::Mul(f, f);
  const V series = mul_add(mul_add(polynomial(kLogP, f, f2), f, c(-0.5f)), f2, f);
  return mul_add(hn::ConvertTo(D(), exponent), c(0.693147181f), series);
}

struct GatePair {
  V value;
  V slope;
};

// The logistic function 1/(1 + e) and its slope e/(1 + e)², e = e^-x: precise to both sides.
HWY_INLINE GatePair sigmoid_pair(V x) {
  const V e = exp_core<-1>(at_most(at_least(x, -kExpRange), kExpRange)).exp;
  const V s = hn::Div(c(1), hn::Add(c(1), e));
  return {zero_beyond(hn::Neg(x), kExpRange, s), zero_beyond(hn::Abs(x), kExpRange, hn::Mul(hn::Mul(e, s), s))};
}

// x·gate and its slope, for gates that are 0 or 1 to the last bit beyond the range of e^x: the limits at ±inf.
HWY_INLINE V gated(V x, V gate) { return hn::Mul(at_least(x, -kExpRange), gate); }
HWY_INLINE V gated_slope(V x, const GatePair& gate) {
  return mul_add(at_most(at_least(x, -kExpRange), kExpRange), gate.slope, gate.value);
}

// e^(-x²): the rounding error of x² would be magnified x² times, so it is carried along: e^-(h+l) = e^-h (1 - l).
HWY_INLINE V exp_minus_square(V x) {
  const V b = hn::Abs(x), a = at_most(b, 9.34f);
  const V h = hn::Mul(a, a);
  const V l = mul_sub(a, a, h);
  const V e = exp_core<-1>(h).exp;
  return zero_beyond(b, 9.34f, neg_mul_add(e, l, e));
}

HWY_INLINE V erf(V x) {
  const V a = hn::Abs(x), z = hn::Mul(x, x), z2 = hn::Mul(z, z);
  const V r = hn::Mul(a, hn::Div(polynomial(kErfP, z, z2), polynomial(kErfQ, z, z2)));
  const auto saturated = hn::Or(hn::Gt(a, c(3.925f)), hn::Gt(r, c(1)));
  return with_sign_of(hn::IfThenElse(saturated, c(1), r), x);
}

HWY_INLINE V erfc(V x) {
  const V a = at_most(hn::Abs(x), 9.34f), a2 = hn::Mul(a, a);
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

}  // namespace ACTFORGE_SIMD::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
