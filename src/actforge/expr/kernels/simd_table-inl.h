// The loops over blocks, and the table of them. Compiled once per instruction set.
#if defined(ACTFORGE_EXPR_SIMD_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ACTFORGE_EXPR_SIMD_TABLE_INL_H_
#undef ACTFORGE_EXPR_SIMD_TABLE_INL_H_
#else
#define ACTFORGE_EXPR_SIMD_TABLE_INL_H_
#endif

#include <string>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/expr/kernels/simd_binary_ops-inl.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/kernels/simd_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ACTFORGE_SIMD::HWY_NAMESPACE {

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

inline void copy(const float* a, float* y, std::size_t n) {
  for_vectors<true>(n, [=](std::size_t i) HWY_ATTR { store(load(a, i), y, i); });
}
inline void add(const float* a, float* y, std::size_t n) { value2_loop<Add>(y, a, y, n); }
inline void subtract(const float* a, float* y, std::size_t n) { value2_loop<Sub>(y, a, y, n); }
inline void fill(float value, float* y, std::size_t n) {
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
inline double sum(const float* a, std::size_t n) {
  return reduce(
      n, [=](std::size_t i, V s) HWY_ATTR { return hn::Add(s, load(a, i)); },
      [=](std::size_t i) { return double{a[i]}; });
}
template <bool kGuarded>
double dot(const float* a, const float* b, std::size_t n) {
  return reduce(
      n,
      [=](std::size_t i, V s) HWY_ATTR {
        return kGuarded ? hn::Add(s, chained(load(a, i), load(b, i))) : mul_add(load(a, i), load(b, i), s);
      },
      [=](std::size_t i) { return kGuarded && (a[i] == 0 || b[i] == 0) ? 0.0 : double{a[i]} * double{b[i]}; });
}

inline std::size_t place_of(std::string_view name) {
  const OpInfo* row = find_op(name);
  if (row == nullptr) throw Error(ErrorCode::kFailed, "kernel of '" + std::string(name) + "', which is no operator");
  return static_cast<std::size_t>(row->op);
}

template <class F>
void set_unary(KernelTable& table) {
  const std::size_t index = place_of(F::kName);
  table.cost[index] = F::kCost;
  table.value[index] = value_loop<F>;
  table.plain.pull[index] = pull_loop<F, false>;
  table.guarded.pull[index] = pull_loop<F, true>;
  if constexpr (requires { F::kCheapSlope; }) table.cheap_slope[index] = true;
  table.both[index] = both_loop<F>;
}

template <class F>
void set_binary(KernelTable& table) {
  const std::size_t index = place_of(F::kName);
  table.cost[index] = F::kCost;
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

template <class... F>
void set_all_unary(KernelTable& table, Kernels<F...>) {
  (set_unary<F>(table), ...);
}
template <class... F>
void set_all_binary(KernelTable& table, Kernels<F...>) {
  (set_binary<F>(table), ...);
}

inline KernelTable make_table() {
  KernelTable t;
  t.name = hwy::TargetName(HWY_TARGET);
  t.fused = kFused;
  t.lanes = hn::Lanes(D());
  set_all_unary(t, UnaryKernels());
  set_all_binary(t, BinaryKernels());
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

}  // namespace ACTFORGE_SIMD::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
