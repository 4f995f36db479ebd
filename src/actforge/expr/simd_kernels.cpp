#include "actforge/expr/simd_kernels.h"

#include <vector>

// Plain, AVX2 and AVX-512 on x86, NEON on ARM; the ones between would only lengthen the build.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

// Highway compiles this file once per instruction set by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/expr/simd_kernels.cpp"
#include "hwy/foreach_target.h"
// The library's functions must follow foreach_target.h.
#include "actforge/expr/simd_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {

template <class F>
void value_loop(const float* a, float* y, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(F::value(hn::LoadU(d, a + i)), d, y + i);
}

template <class F>
void slope_loop(const float* a, float* y, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(F::both(hn::LoadU(d, a + i)).slope, d, y + i);
}

template <class F>
void both_loop(const float* a, float* y, float* slope, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Both both = F::both(hn::LoadU(d, a + i));
    hn::StoreU(both.value, d, y + i);
    hn::StoreU(both.slope, d, slope + i);
  }
}

template <class F>
void value2_loop(const float* a, const float* b, float* y, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(F::value(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, y + i);
  }
}

template <class F>
void both2_loop(const float* a, const float* b, float* y, float* first, float* second, std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const BothSlopes both = F::both(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    if (y != nullptr) hn::StoreU(both.value, d, y + i);
    if (first != nullptr) hn::StoreU(both.first, d, first + i);
    if (second != nullptr) hn::StoreU(both.second, d, second + i);
  }
}

template <class F>
struct ConstantWinsTies {
  static HWY_INLINE BothSlopes both(V a, V b) {
    BothSlopes slopes = F::both(a, b);
    slopes.second = hn::IfThenZeroElse(hn::Eq(a, b), slopes.second);
    return slopes;
  }
};

HWY_INLINE V chained(V a, V b) {
  return hn::IfThenZeroElse(hn::Or(hn::Eq(a, zero()), hn::Eq(b, zero())), hn::Mul(a, b));
}

template <class F>
HWY_INLINE void update_loop(float* y, std::size_t n, F f) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) hn::StoreU(f(i), d, y + i);
}

void chain(const float* a, const float* b, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) { return chained(hn::LoadU(D(), a + i), hn::LoadU(D(), b + i)); });
}
void chain_add(const float* a, const float* b, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) {
    return hn::Add(hn::LoadU(D(), y + i), chained(hn::LoadU(D(), a + i), hn::LoadU(D(), b + i)));
  });
}
void multiply_add(const float* a, const float* b, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) {
    return hn::MulAdd(hn::LoadU(D(), a + i), hn::LoadU(D(), b + i), hn::LoadU(D(), y + i));
  });
}
void copy(const float* a, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) { return hn::LoadU(D(), a + i); });
}
void add(const float* a, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) { return hn::Add(hn::LoadU(D(), y + i), hn::LoadU(D(), a + i)); });
}
void subtract(const float* a, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t i) { return hn::Sub(hn::LoadU(D(), y + i), hn::LoadU(D(), a + i)); });
}
void fill(float value, float* y, std::size_t n) {
  update_loop(y, n, [=](std::size_t) { return c(value); });
}
double sum(const float* a, std::size_t n) {
  const D d;
  V even = zero(), odd = zero();
  std::size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= n; i += 2 * hn::Lanes(d)) {
    even = hn::Add(even, hn::LoadU(d, a + i));
    odd = hn::Add(odd, hn::LoadU(d, a + i + hn::Lanes(d)));
  }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; i < n; ++i) total += a[i];  // any length: the last block of a sum is seldom whole
  return total;
}

template <class F>
void set_unary(KernelTable& table, Op op) {
  table.value[static_cast<std::size_t>(op)] = value_loop<F>;
  table.slope[static_cast<std::size_t>(op)] = slope_loop<F>;
  table.both[static_cast<std::size_t>(op)] = both_loop<F>;
}

template <class F>
void set_binary(KernelTable& table, Op op) {
  table.value2[static_cast<std::size_t>(op)] = value2_loop<F>;
  if constexpr (requires(V v) { F::both(v, v); }) table.both2[static_cast<std::size_t>(op)] = both2_loop<F>;
}

KernelTable make_table() {
  KernelTable t;
  t.name = hwy::TargetName(HWY_TARGET);
  t.lanes = hn::Lanes(D());
  set_unary<Negative>(t, Op::kNegative);
  set_unary<AbsOp>(t, Op::kAbs);
  set_unary<Reciprocal>(t, Op::kReciprocal);
  set_unary<Square>(t, Op::kSquare);
  set_unary<ExpOp>(t, Op::kExp);
  set_unary<Erf>(t, Op::kErf);
  set_unary<Erfc>(t, Op::kErfc);
  set_unary<Sinh>(t, Op::kSinh);
  set_unary<Cosh>(t, Op::kCosh);
  set_unary<Tanh>(t, Op::kTanh);
  set_unary<Expm1Op>(t, Op::kExpm1);
  set_unary<Sigmoid>(t, Op::kSigmoid);
  set_unary<LogSigmoid>(t, Op::kLogSigmoid);
  set_unary<Arcsinh>(t, Op::kArcsinh);
  set_unary<Arctan>(t, Op::kArctan);
  set_unary<BesselI0e>(t, Op::kBesselI0e);
  set_unary<BesselI1e>(t, Op::kBesselI1e);
  set_unary<Relu>(t, Op::kRelu);
  set_unary<Elu>(t, Op::kElu);
  set_unary<Selu>(t, Op::kSelu);
  set_unary<Swish>(t, Op::kSwish);
  set_unary<Softplus>(t, Op::kSoftplus);
  set_unary<Softsign>(t, Op::kSoftsign);
  set_unary<HardSigmoid>(t, Op::kHardSigmoid);
  set_unary<Cube>(t, Op::kCube);
  set_unary<SqrtOp>(t, Op::kSqrt);
  set_unary<Gauss>(t, Op::kGauss);
  set_unary<LogAbsEps>(t, Op::kLogAbsEps);
  set_unary<Sin>(t, Op::kSin);
  set_unary<Cos>(t, Op::kCos);
  set_unary<Arctanh>(t, Op::kArctanh);
  set_unary<Min0>(t, Op::kMin0);
  set_unary<Sinc>(t, Op::kSinc);
  set_unary<LeakyRelu>(t, Op::kLeakyRelu);
  set_unary<Gelu>(t, Op::kGelu);
  set_unary<Mish>(t, Op::kMish);
  set_binary<Add>(t, Op::kAdd);
  set_binary<Sub>(t, Op::kSub);
  set_binary<Mul>(t, Op::kMul);
  set_binary<Div>(t, Op::kDiv);
  set_binary<DivNoNan>(t, Op::kDivNoNan);
  set_binary<DivEps>(t, Op::kDivEps);
  set_binary<Pow>(t, Op::kPow);
  set_binary<Max>(t, Op::kMax);
  set_binary<Min>(t, Op::kMin);
  t.both2_constant[static_cast<std::size_t>(Op::kMax)] = both2_loop<ConstantWinsTies<Max>>;
  t.both2_constant[static_cast<std::size_t>(Op::kMin)] = both2_loop<ConstantWinsTies<Min>>;
  t.chain = chain;
  t.chain_add = chain_add;
  t.multiply = value2_loop<Mul>;
  t.multiply_add = multiply_add;
  t.copy = copy;
  t.add = add;
  t.negate = value_loop<Negative>;
  t.subtract = subtract;
  t.fill = fill;
  t.sum = sum;
  return t;
}

}  // namespace actforge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace actforge {

std::span<const KernelTable> kernel_tables() {
  static const std::vector<KernelTable> tables = [] {
    struct Candidate {
      std::int64_t target;
      KernelTable (*make)();
    };
    std::vector<KernelTable> list;
    for (const Candidate& candidate :
         {Candidate{HWY_AVX3, HWY_CHOOSE_AVX3(make_table)}, Candidate{HWY_AVX2, HWY_CHOOSE_AVX2(make_table)},
          Candidate{HWY_NEON, HWY_CHOOSE_NEON(make_table)}, Candidate{HWY_SCALAR, HWY_CHOOSE_FALLBACK(make_table)}}) {
      if (candidate.make != nullptr && (hwy::SupportedTargets() & candidate.target) != 0)
        list.push_back(candidate.make());
    }
    return list;
  }();
  return tables;
}

}  // namespace actforge
#endif
