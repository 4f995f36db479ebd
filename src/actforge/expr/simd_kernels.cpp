#include "actforge/expr/simd_kernels.h"

#include <vector>

// Plain, AVX2 and AVX-512 on x86, NEON on ARM; the ones between would only lengthen the build.
// Vectors of the SVE targets cannot be members of a struct.
#define ACTFORGE_NO_SVE (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_DISABLED_TARGETS
#ifdef ACTFORGE_NO_AVX512
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | ACTFORGE_NO_SVE)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | ACTFORGE_NO_SVE)
#endif

// Highway compiles this file once per instruction set by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/expr/simd_kernels.cpp"
#include "hwy/foreach_target.h"
// The library's functions must follow foreach_target.h.
#include "actforge/expr/simd_binary_ops-inl.h"
#include "actforge/expr/simd_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {

// Long loop bodies one vector at a time: processors overlap the iterations by themselves, and unrolling only spills
// registers. Those of a few instructions are unrolled, as the loop would cost as much as they do.
template <bool kShort, class Vector>
HWY_INLINE void for_vectors(std::size_t n, Vector vector) {
  const std::size_t step = hn::Lanes(D());
  std::size_t i = 0;
  if constexpr (kShort) {
    for (; i + 4 * step <= n; i += 4 * step) vector(i), vector(i + step), vector(i + 2 * step), vector(i + 3 * step);
  }
  for (; i < n; i += step) vector(i);
}
template <class F>
inline constexpr bool kIsShort = requires {
  F::kCheapSlope;
};
HWY_INLINE V load(const float* a, std::size_t i) { return hn::LoadU(D(), a + i); }
HWY_INLINE void store(V v, float* y, std::size_t i) { hn::StoreU(v, D(), y + i); }

template <class F>
void value_loop(const float* a, float* y, std::size_t n) {
  for_vectors<kIsShort<F>>(n, [=](std::size_t i) HWY_ATTR { store(F::value(load(a, i)), y, i); });
}

template <class F>
void both_loop(const float* a, float* y, float* slope, std::size_t n) {
  for_vectors<false>(n, [=](std::size_t i) HWY_ATTR {
    const Both both = F::both(load(a, i));
    store(both.value, y, i);
    store(both.slope, slope, i);
  });
}

template <class F>
void value2_loop(const float* a, const float* b, float* y, std::size_t n) {
  for_vectors<kIsShort<F>>(n, [=](std::size_t i) HWY_ATTR { store(F::value(load(a, i), load(b, i)), y, i); });
}

// A zero factor gives zero, whatever the other is: sqrt(relu(x)) has slope 0 for x < 0, not 0·inf.
HWY_INLINE V chained(V slope, V g) {
  return hn::IfThenZeroElse(hn::Or(hn::Eq(slope, zero()), hn::Eq(g, zero())), hn::Mul(slope, g));
}

template <bool kGuarded>
HWY_INLINE V times(V slope, V g) {
  return kGuarded ? chained(slope, g) : hn::Mul(slope, g);
}

// The product with a slope that is there already.
struct Product {
  static constexpr bool kCheapSlope = true;
  static HWY_INLINE V slope(V x) { return x; }
};

template <class F, bool kGuarded>
HWY_INLINE V pulled(V x, V g) {
  if constexpr (requires { F::pull(x, g); }) {
    return F::pull(x, g);
  } else if constexpr (requires { F::slope(x); }) {
    return times<kGuarded>(F::slope(x), g);
  } else {
    return times<kGuarded>(F::both(x).slope, g);
  }
}

template <class F, bool kGuarded>
void pull_loop(const float* a, const float* g, float* y, bool add, std::size_t n) {
  if (add) {
    for_vectors<kIsShort<F>>(n, [=](std::size_t i) HWY_ATTR {
      store(hn::Add(load(y, i), pulled<F, kGuarded>(load(a, i), load(g, i))), y, i);
    });
  } else {
    for_vectors<kIsShort<F>>(n,
                             [=](std::size_t i) HWY_ATTR { store(pulled<F, kGuarded>(load(a, i), load(g, i)), y, i); });
  }
}

HWY_INLINE void deliver(V share, KernelTable::Target target, std::size_t i) {
  if (target.y != nullptr) store(target.add ? hn::Add(load(target.y, i), share) : share, target.y, i);
}

// Both arguments' shares of g.
template <class F, bool kGuarded>
HWY_INLINE Shares shares(V a, V b, V g) {
  if constexpr (requires { F::shares(a, b, g); }) {
    return F::shares(a, b, g);
  } else {
    const BothSlopes slopes = F::both(a, b);
    return {times<kGuarded>(slopes.first, g), times<kGuarded>(slopes.second, g)};
  }
}

template <class F, bool kGuarded>
void pull2_loop(const float* a, const float* b, const float* g, KernelTable::Target first, KernelTable::Target second,
                std::size_t n) {
  for_vectors<kIsShort<F>>(n, [=](std::size_t i) HWY_ATTR {
    const Shares pair = shares<F, kGuarded>(load(a, i), load(b, i), load(g, i));
    deliver(pair.first, first, i);
    deliver(pair.second, second, i);
  });
}

template <class F>
struct ConstantWinsTies {
  static HWY_INLINE Shares shares(V a, V b, V g) {
    Shares pair = F::shares(a, b, g);
    pair.second = hn::IfThenZeroElse(hn::Eq(a, b), pair.second);
    return pair;
  }
};

void copy(const float* a, float* y, std::size_t n) {
  for_vectors<true>(n, [=](std::size_t i) HWY_ATTR { store(load(a, i), y, i); });
}
void add(const float* a, float* y, std::size_t n) { value2_loop<Add>(y, a, y, n); }
void subtract(const float* a, float* y, std::size_t n) { value2_loop<Sub>(y, a, y, n); }
void fill(float value, float* y, std::size_t n) {
  for_vectors<true>(n, [=](std::size_t i) HWY_ATTR { store(c(value), y, i); });
}
// Four running sums hide the latency of an addition. Any length: the last block of a tensor is seldom whole.
template <class Term, class Rest>
HWY_INLINE double reduce(std::size_t n, Term term, Rest rest) {
  const std::size_t step = hn::Lanes(D());
  V s0 = zero(), s1 = zero(), s2 = zero(), s3 = zero();
  std::size_t i = 0;
  for (; i + 4 * step <= n; i += 4 * step) {
    s0 = term(i, s0), s1 = term(i + step, s1), s2 = term(i + 2 * step, s2), s3 = term(i + 3 * step, s3);
  }
  double total = hn::GetLane(hn::SumOfLanes(D(), hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
  for (; i < n; ++i) total += rest(i);
  return total;
}
double sum(const float* a, std::size_t n) {
  return reduce(
      n, [=](std::size_t i, V s) HWY_ATTR { return hn::Add(s, load(a, i)); },
      [=](std::size_t i) { return double{a[i]}; });
}
template <bool kGuarded>
double dot(const float* a, const float* b, std::size_t n) {
  return reduce(
      n,
      [=](std::size_t i, V s) HWY_ATTR {
        return kGuarded ? hn::Add(s, chained(load(a, i), load(b, i))) : hn::MulAdd(load(a, i), load(b, i), s);
      },
      [=](std::size_t i) { return kGuarded && (a[i] == 0 || b[i] == 0) ? 0.0 : double{a[i]} * double{b[i]}; });
}

template <class F>
void set_unary(KernelTable& table, Op op) {
  table.value[static_cast<std::size_t>(op)] = value_loop<F>;
  table.plain.pull[static_cast<std::size_t>(op)] = pull_loop<F, false>;
  table.guarded.pull[static_cast<std::size_t>(op)] = pull_loop<F, true>;
  if constexpr (requires { F::kCheapSlope; }) table.cheap_slope[static_cast<std::size_t>(op)] = true;
  table.both[static_cast<std::size_t>(op)] = both_loop<F>;
}

template <class F>
void set_binary(KernelTable& table, Op op) {
  const auto index = static_cast<std::size_t>(op);
  table.value2[index] = value2_loop<F>;
  if constexpr (
      requires(V v) { F::both(v, v); } || requires(V v) { F::shares(v, v, v); }) {
    table.plain.pull2[index] = pull2_loop<F, false>;
    table.guarded.pull2[index] = pull2_loop<F, true>;
  }
  if constexpr (requires(V v) { F::shares(v, v, v); }) {
    table.plain.pull2_constant[index] = table.guarded.pull2_constant[index] = pull2_loop<ConstantWinsTies<F>, true>;
  }
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
  t.plain.product = pull_loop<Product, false>;
  t.guarded.product = pull_loop<Product, true>;
  t.plain.dot = dot<false>;
  t.guarded.dot = dot<true>;
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
      if (candidate.make == nullptr || (hwy::SupportedTargets() & candidate.target) == 0) continue;
      const KernelTable table = candidate.make();
      // Where the baseline has vectors, as on ARM, the fallback is that baseline once more.
      if (list.empty() || list.back().name != table.name) list.push_back(table);
    }
    return list;
  }();
  return tables;
}

}  // namespace actforge
#endif
