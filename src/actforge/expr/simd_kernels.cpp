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

// One vector at a time the processor would wait for each result; four at a time, loaded first and stored last, give it
// four independent chains to work on. (The arguments may overlap, so the compiler cannot reorder this by itself.)
template <class Load, class Compute, class Store>
HWY_INLINE void loop(std::size_t n, Load load, Compute compute, Store store) {
  const std::size_t step = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + 4 * step <= n; i += 4 * step) {
    const auto a0 = load(i), a1 = load(i + step), a2 = load(i + 2 * step), a3 = load(i + 3 * step);
    const auto y0 = compute(a0), y1 = compute(a1), y2 = compute(a2), y3 = compute(a3);
    store(i, y0), store(i + step, y1), store(i + 2 * step, y2), store(i + 3 * step, y3);
  }
  for (; i < n; i += step) store(i, compute(load(i)));
}

struct Two {
  V a, b;
};
struct Three {
  V a, b, c;
};

HWY_INLINE auto loader(const float* a) {
  return [=](std::size_t i) HWY_ATTR { return hn::LoadU(D(), a + i); };
}
HWY_INLINE auto loader(const float* a, const float* b) {
  return [=](std::size_t i) HWY_ATTR { return Two{hn::LoadU(D(), a + i), hn::LoadU(D(), b + i)}; };
}
HWY_INLINE auto loader(const float* a, const float* b, const float* y) {
  return [=](std::size_t i) HWY_ATTR {
    return Three{hn::LoadU(D(), a + i), hn::LoadU(D(), b + i), hn::LoadU(D(), y + i)};
  };
}
HWY_INLINE auto storer(float* y) {
  return [=](std::size_t i, V v) HWY_ATTR { hn::StoreU(v, D(), y + i); };
}

template <class F>
void value_loop(const float* a, float* y, std::size_t n) {
  loop(
      n, loader(a), [](V x) HWY_ATTR { return F::value(x); }, storer(y));
}

template <class F>
void both_loop(const float* a, float* y, float* slope, std::size_t n) {
  loop(
      n, loader(a), [](V x) HWY_ATTR { return F::both(x); },
      [=](std::size_t i, const Both& both) HWY_ATTR {
        hn::StoreU(both.value, D(), y + i);
        hn::StoreU(both.slope, D(), slope + i);
      });
}

template <class F>
void value2_loop(const float* a, const float* b, float* y, std::size_t n) {
  loop(
      n, loader(a, b), [](const Two& v) HWY_ATTR { return F::value(v.a, v.b); }, storer(y));
}

// A zero factor gives zero, whatever the other is: sqrt(relu(x)) has slope 0 for x < 0, not 0·inf.
HWY_INLINE V chained(V slope, V g) {
  return hn::IfThenZeroElse(hn::Or(hn::Eq(slope, zero()), hn::Eq(g, zero())), hn::Mul(slope, g));
}

struct Chain {
  static HWY_INLINE V pull(V slope, V g) { return chained(slope, g); }
};
struct Multiply {
  static HWY_INLINE V pull(V a, V g) { return hn::Mul(a, g); }
};

template <class F>
HWY_INLINE V pulled(V x, V g) {
  if constexpr (requires { F::pull(x, g); }) {
    return F::pull(x, g);
  } else if constexpr (requires { F::kSingular; }) {
    return chained(F::both(x).slope, g);
  } else {
    return hn::Mul(F::both(x).slope, g);
  }
}

template <class F>
void pull_loop(const float* a, const float* g, float* y, bool add, std::size_t n) {
  if (add) {
    loop(
        n, loader(a, g, y), [](const Three& v) HWY_ATTR { return hn::Add(v.c, pulled<F>(v.a, v.b)); }, storer(y));
  } else {
    loop(
        n, loader(a, g), [](const Two& v) HWY_ATTR { return pulled<F>(v.a, v.b); }, storer(y));
  }
}

HWY_INLINE void deliver(V share, KernelTable::Target target, std::size_t i) {
  if (target.y == nullptr) return;
  hn::StoreU(target.add ? hn::Add(hn::LoadU(D(), target.y + i), share) : share, D(), target.y + i);
}

// Both arguments' shares of g.
template <class F>
HWY_INLINE Two shares(V a, V b, V g) {
  if constexpr (requires { F::shares(a, b, g); }) {
    const auto [first, second] = F::shares(a, b, g);
    return {first, second};
  } else {
    const BothSlopes slopes = F::both(a, b);
    return {chained(slopes.first, g), chained(slopes.second, g)};
  }
}

template <class F>
void pull2_loop(const float* a, const float* b, const float* g, KernelTable::Target first, KernelTable::Target second,
                std::size_t n) {
  const D d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const Two pair = shares<F>(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, g + i));
    deliver(pair.a, first, i);
    deliver(pair.b, second, i);
  }
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
  loop(
      n, loader(a), [](V v) HWY_ATTR { return v; }, storer(y));
}
void add(const float* a, float* y, std::size_t n) { value2_loop<Add>(y, a, y, n); }
void subtract(const float* a, float* y, std::size_t n) { value2_loop<Sub>(y, a, y, n); }
void fill(float value, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += hn::Lanes(D())) hn::StoreU(c(value), D(), y + i);
}
// Past the caches on purpose: a large result is not read again soon, and a line need not be fetched to be overwritten.
void stream(const float* a, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += hn::Lanes(D())) hn::Stream(hn::Load(D(), a + i), D(), y + i);
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
double dot(const float* a, const float* b, std::size_t n) {
  const D d;
  V even = zero(), odd = zero();
  std::size_t i = 0;
  for (; i + 2 * hn::Lanes(d) <= n; i += 2 * hn::Lanes(d)) {
    even = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), even);
    odd = hn::MulAdd(hn::LoadU(d, a + i + hn::Lanes(d)), hn::LoadU(d, b + i + hn::Lanes(d)), odd);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
  for (; i < n; ++i) total += double{a[i]} * double{b[i]};
  return total;
}

template <class F>
void set_unary(KernelTable& table, Op op) {
  table.value[static_cast<std::size_t>(op)] = value_loop<F>;
  table.pull[static_cast<std::size_t>(op)] = pull_loop<F>;
  if constexpr (requires { F::kCheapSlope; }) table.cheap_slope[static_cast<std::size_t>(op)] = true;
  table.both[static_cast<std::size_t>(op)] = both_loop<F>;
}

template <class F>
void set_binary(KernelTable& table, Op op) {
  table.value2[static_cast<std::size_t>(op)] = value2_loop<F>;
  if constexpr (
      requires(V v) { F::both(v, v); } || requires(V v) { F::shares(v, v, v); })
    table.pull2[static_cast<std::size_t>(op)] = pull2_loop<F>;
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
  t.pull2_constant[static_cast<std::size_t>(Op::kMax)] = pull2_loop<ConstantWinsTies<Max>>;
  t.pull2_constant[static_cast<std::size_t>(Op::kMin)] = pull2_loop<ConstantWinsTies<Min>>;
  t.chain = pull_loop<Chain>;
  t.multiply = pull_loop<Multiply>;
  t.copy = copy;
  t.add = add;
  t.negate = value_loop<Negative>;
  t.subtract = subtract;
  t.fill = fill;
  t.stream = stream;
  t.sum = sum;
  t.dot = dot;
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
