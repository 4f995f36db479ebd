// Logarithm, sine, cosine, arc tangent and area tangent in float32, logarithm and exponential in double, after Highway
// 1.0 (hwy/contrib/math, Copyright 2020 Google LLC, Apache License 2.0), whose later versions compute them otherwise.
// Outputs of the kernels are compared between machines, so they must not depend on the version that is installed.
#if defined(ACTFORGE_EXPR_SIMD_ELEMENTARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_ELEMENTARY_INL_H_
#undef ACTFORGE_EXPR_SIMD_ELEMENTARY_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_ELEMENTARY_INL_H_
#endif

#include "actforge/expr/kernels/simd_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ACTFORGE_SIMD::HWY_NAMESPACE {

// Estrin's scheme for four coefficients, and for eight: pairs, pairs of pairs, and so on side by side.
template <class N>
HWY_INLINE N estrin4(N x, N x2, N k0, N k1, N k2, N k3) {
  return mul_add(x2, mul_add(k3, x, k2), mul_add(k1, x, k0));
}
template <class N>
HWY_INLINE N estrin8(N x, N x2, N x4, N k0, N k1, N k2, N k3, N k4, N k5, N k6, N k7) {
  return mul_add(x4, estrin4(x, x2, k4, k5, k6, k7), estrin4(x, x2, k0, k1, k2, k3));
}

// ---- logarithms: x = 2^e y with sqrt(1/2) <= y < sqrt(2), z = (y - 1)/(y + 1), log y = 2 artanh z

// What the two precisions differ in.
template <class T>
struct LogConstants;
template <>
struct LogConstants<float> {
  static constexpr float kLn2High = 0.69313812256f, kLn2Low = 9.0580006145e-6f;
  static constexpr float kLeastNormal = 1.175494351e-38f, kScale = 3.355443200e+7f;
  static constexpr std::int32_t kScaleExponent = -25, kBias = 0x7f;
  static constexpr std::int32_t kRootHalf = 0x3f3504f3, kOne = 0x3f800000, kMantissa = 0x7fffff, kLowerBits = 0;
  static constexpr int kMantissaBits = 23;
};
template <>
struct LogConstants<double> {
  static constexpr double kLn2High = 0.693147180369123816490, kLn2Low = 1.90821492927058770002e-10;
  static constexpr double kLeastNormal = 2.2250738585072014e-308, kScale = 1.8014398509481984e+16;
  static constexpr std::int64_t kScaleExponent = -54, kBias = 0x3ff;
  static constexpr std::int64_t kRootHalf = 0x3fe6a09e00000000, kOne = 0x3ff0000000000000;
  static constexpr std::int64_t kMantissa = 0xfffff00000000, kLowerBits = 0xffffffff;
  static constexpr int kMantissaBits = 52;
};

template <class Tag>
HWY_INLINE hn::VFromD<Tag> log_series(Tag d, hn::VFromD<Tag> z) {
  const auto z2 = hn::Mul(z, z), z4 = hn::Mul(z2, z2);
  if constexpr (sizeof(hn::TFromD<Tag>) == 4) {
    const auto k0 = hn::Set(d, 0.66666662693f), k1 = hn::Set(d, 0.40000972152f);
    const auto k2 = hn::Set(d, 0.28498786688f), k3 = hn::Set(d, 0.24279078841f);
    return mul_add(mul_add(k2, z4, k0), z2, hn::Mul(mul_add(k3, z4, k1), z4));
  } else {
    const auto k0 = hn::Set(d, 0.6666666666666735130), k1 = hn::Set(d, 0.3999999999940941908);
    const auto k2 = hn::Set(d, 0.2857142874366239149), k3 = hn::Set(d, 0.2222219843214978396);
    const auto k4 = hn::Set(d, 0.1818357216161805012), k5 = hn::Set(d, 0.1531383769920937332);
    const auto k6 = hn::Set(d, 0.1479819860511658591);
    return mul_add(mul_add(mul_add(mul_add(k6, z4, k4), z4, k2), z4, k0), z2,
                   hn::Mul(mul_add(mul_add(k5, z4, k3), z4, k1), z4));
  }
}

// log(x) for finite x > 0.
template <class Tag>
HWY_INLINE hn::VFromD<Tag> log_positive(Tag d, hn::VFromD<Tag> x) {
  using T = hn::TFromD<Tag>;
  using K = LogConstants<T>;
  const hn::RebindToSigned<Tag> di;
  const hn::RebindToUnsigned<Tag> du;
  const auto is_small = hn::Lt(x, hn::Set(d, K::kLeastNormal));
  x = hn::IfThenElse(is_small, hn::Mul(x, hn::Set(d, K::kScale)), x);
  const auto scaled = hn::BitCast(di, hn::IfThenElseZero(is_small, hn::BitCast(d, hn::Set(di, K::kScaleExponent))));
  const auto bits = hn::Add(hn::BitCast(di, x), hn::Set(di, K::kOne - K::kRootHalf));
  const auto biased = hn::BitCast(di, hn::ShiftRight<K::kMantissaBits>(hn::BitCast(du, bits)));
  const auto exponent = hn::ConvertTo(d, hn::Add(scaled, hn::Sub(biased, hn::Set(di, K::kBias))));
  const auto mantissa = hn::Add(hn::And(bits, hn::Set(di, K::kMantissa)), hn::Set(di, K::kRootHalf));
  const auto y = hn::Or(hn::And(x, hn::BitCast(d, hn::Set(di, K::kLowerBits))), hn::BitCast(d, mantissa));
  const auto one = hn::Set(d, T(1)), f = hn::Sub(y, one), z = hn::Div(f, hn::Add(y, one));
  const auto rest = mul_sub(z, hn::Sub(f, log_series(d, z)), hn::Mul(exponent, hn::Set(d, K::kLn2Low)));
  return mul_sub(exponent, hn::Set(d, K::kLn2High), hn::Sub(rest, f));
}

// log(1 + x) for x >= 0, as log(u) x/(u - 1) with u = 1 + x rounded, which takes the rounding back out.
HWY_INLINE V log1p_positive(V x) {
  const V u = hn::Add(x, c(1));
  const auto is_tiny = hn::Eq(u, c(1));
  const V divisor = hn::Sub(hn::IfThenZeroElse(is_tiny, u), c(1));
  return hn::IfThenElse(is_tiny, x, hn::Mul(log_positive(D(), u), hn::Div(x, divisor)));
}

// artanh(x), |x| < 1.
HWY_INLINE V area_tangent(V x) {
  const V a = hn::Abs(x);
  return hn::Mul(log1p_positive(hn::Div(hn::Add(a, a), hn::Sub(c(1), a))), with_sign_of(c(0.5f), x));
}

// ---- sine and cosine for |x| <= 39000: x minus the nearest multiple of π, which is taken off in four parts

HWY_INLINE V sine_series(V x) {
  const V y = hn::Mul(x, x);
  const V k = estrin4(y, hn::Mul(y, y), c(-1.66666597127914428710938e-1f), c(8.33307858556509017944336e-3f),
                      c(-1.981069071916863322258e-4f), c(2.6083159809786593541503e-6f));
  return mul_add(k, hn::Mul(y, x), x);
}

// x - q kPart/2 π for a whole number q.
template <int kHalves>
HWY_INLINE V without_turns(V x, V q) {
  constexpr float kPart = 0.5f * kHalves;
  x = mul_add(q, c(-kPart * 3.140625f), x);
  x = mul_add(q, c(-kPart * 0.0009670257568359375f), x);
  x = mul_add(q, c(-kPart * 6.2771141529083251953e-7f), x);
  return mul_add(q, c(-kPart * 1.2154201256553420762e-10f), x);
}

inline constexpr float kOneOverPi = 0.31830988618379067153f;

HWY_INLINE V sine(V x) {
  const hn::RebindToSigned<D> di;
  const V a = hn::Abs(x), sign = hn::Xor(a, x);
  const auto q = hn::ConvertTo(di, mul_add(a, c(kOneOverPi), c(0.5f)));
  const V odd = hn::BitCast(D(), hn::ShiftLeft<31>(hn::And(q, hn::Set(di, 1))));
  return sine_series(hn::Xor(without_turns<2>(a, hn::ConvertTo(D(), q)), hn::Xor(odd, sign)));
}

// cos x = ∓sin(x - (2k + 1)π/2).
HWY_INLINE V cosine(V x) {
  const hn::RebindToSigned<D> di;
  const V a = hn::Abs(x);
  const auto q = hn::Add(hn::ShiftLeft<1>(hn::ConvertTo(di, hn::Mul(a, c(kOneOverPi)))), hn::Set(di, 1));
  const V sign = hn::BitCast(D(), hn::ShiftLeft<30>(hn::AndNot(q, hn::Set(di, 2))));
  return sine_series(hn::Xor(without_turns<1>(a, hn::ConvertTo(D(), q)), sign));
}

HWY_INLINE V arc_tangent(V x) {
  const V a = hn::Abs(x), sign = hn::And(x, hn::SignBit(D()));
  const auto is_large = hn::Gt(a, c(1));
  const V t = hn::IfThenElse(is_large, hn::Div(c(1), hn::IfThenElse(is_large, a, c(1))), a);
  const V y = hn::Mul(t, t), y2 = hn::Mul(y, y);
  const V k =
      estrin8(y, y2, hn::Mul(y2, y2), c(-0.333331018686294555664062f), c(0.199926957488059997558594f),
              c(-0.142027363181114196777344f), c(0.106347933411598205566406f), c(-0.0748900920152664184570312f),
              c(0.0425049886107444763183594f), c(-0.0159569028764963150024414f), c(0.00282363896258175373077393f));
  const V angle = mul_add(k, hn::Mul(y, t), t);
  return hn::Or(hn::IfThenElse(is_large, hn::Sub(c(1.57079632679489661923f), angle), angle), sign);
}

// ---- e^x in double for |x| <= 300: x = q log 2 + r, q nearest

template <class Tag>
HWY_INLINE hn::VFromD<Tag> exp_series(Tag d, hn::VFromD<Tag> x) {
  const auto k = [&](double value) HWY_ATTR { return hn::Set(d, value); };
  const auto x2 = hn::Mul(x, x), x4 = hn::Mul(x2, x2);
  const auto low =
      estrin8(x, x2, x4, k(0.5), k(0.166666666666666851703837), k(0.0416666666666665047591422),
              k(0.00833333333331652721664984), k(0.00138888888889774492207962), k(0.000198412698960509205564975),
              k(2.4801587159235472998791e-5), k(2.75572362911928827629423e-6));
  const auto high = mul_add(x2, k(2.08860621107283687536341e-9),
                            mul_add(k(2.51112930892876518610661e-8), x, k(2.75573911234900471893338e-7)));
  return mul_add(mul_add(hn::Mul(x4, x4), high, low), x2, x);
}

template <class Tag, class Ints>
HWY_INLINE hn::VFromD<Tag> power_of_two(Tag d, Ints exponent) {
  const hn::Rebind<std::int32_t, Tag> di32;
  const hn::Rebind<std::int64_t, Tag> di64;
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::PromoteTo(di64, hn::Add(exponent, hn::Set(di32, 0x3ff)))));
}

template <class Tag>
HWY_INLINE hn::VFromD<Tag> exp_double(Tag d, hn::VFromD<Tag> x) {
  const hn::Rebind<std::int32_t, Tag> di32;
  const auto half = hn::CopySign(hn::Set(d, 0.5), x);
  const auto q = hn::DemoteTo(di32, mul_add(x, hn::Set(d, 1.442695040888963407359924681), half));
  const auto whole = hn::PromoteTo(d, q);
  auto r = mul_add(whole, hn::Set(d, -0.6931471805596629565116018), x);
  r = mul_add(whole, hn::Set(d, -0.28235290563031577122588448175e-12), r);
  const auto first = hn::ShiftRight<1>(q);
  const auto y = hn::Add(exp_series(d, r), hn::Set(d, 1.0));
  return hn::Mul(hn::Mul(y, power_of_two(d, first)), power_of_two(d, hn::Sub(q, first)));
}

}  // namespace ACTFORGE_SIMD::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
