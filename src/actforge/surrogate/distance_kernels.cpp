#include "actforge/surrogate/distance_kernels.h"

#include <algorithm>

// Plain, AVX2 and AVX-512 on x86, NEON on ARM.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/surrogate/distance_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

struct Absolute {
  static HWY_INLINE V added(V sum, V a, V b) { return hn::Add(sum, hn::AbsDiff(a, b)); }
};
struct Squared {
  static HWY_INLINE V added(V sum, V a, V b) {
    const V difference = hn::Sub(a, b);
    return hn::MulAdd(difference, difference, sum);
  }
};

// A lane adds at most this many features over the number of lanes in single precision; the sums of such stretches are
// added in double. Two stretches of six rows stay in the first cache.
constexpr std::size_t kStretch = 1024;

// Rows in the innermost loop: each number that is loaded is used in two or four sums, and the sums fit the registers.
constexpr std::size_t kRowsA = 4, kRowsB = 2;

template <class Term, std::size_t kA, std::size_t kB>
HWY_INLINE void add_pairs(const float* a, const float* b, std::size_t width, std::size_t n, double* sums,
                          std::size_t stride) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum[kA][kB];
  for (auto& row : sum) {
    for (V& one : row) one = hn::Zero(d);
  }
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes) {
    V of_a[kA];
    for (std::size_t i = 0; i < kA; ++i) of_a[i] = hn::LoadU(d, a + i * width + k);
    for (std::size_t j = 0; j < kB; ++j) {
      const V of_b = hn::LoadU(d, b + j * width + k);
      for (std::size_t i = 0; i < kA; ++i) sum[i][j] = Term::added(sum[i][j], of_a[i], of_b);
    }
  }
  if (k < n) {
    const auto rest = hn::FirstN(d, n - k);
    for (std::size_t i = 0; i < kA; ++i) {
      const V of_a = hn::MaskedLoad(rest, d, a + i * width + k);
      for (std::size_t j = 0; j < kB; ++j) {
        sum[i][j] = Term::added(sum[i][j], of_a, hn::MaskedLoad(rest, d, b + j * width + k));
      }
    }
  }
  for (std::size_t i = 0; i < kA; ++i) {
    for (std::size_t j = 0; j < kB; ++j) {
      sums[i * stride + j] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum[i][j])));
    }
  }
}

template <class Term, std::size_t kA>
HWY_INLINE void add_row_group(const PairBlock& block, std::size_t i, std::size_t begin, std::size_t n) {
  const float* a = block.a + i * block.width + begin;
  double* sums = block.sums + i * block.stride;
  std::size_t j = 0;
  for (; j + kRowsB <= block.b_rows; j += kRowsB) {
    add_pairs<Term, kA, kRowsB>(a, block.b + j * block.width + begin, block.width, n, sums + j, block.stride);
  }
  for (; j < block.b_rows; ++j) {
    add_pairs<Term, kA, 1>(a, block.b + j * block.width + begin, block.width, n, sums + j, block.stride);
  }
}

template <class Term>
void add_block(const PairBlock& block) {
  for (std::size_t begin = 0; begin < block.width; begin += kStretch) {
    const std::size_t n = std::min(kStretch, block.width - begin);
    std::size_t i = 0;
    for (; i + kRowsA <= block.a_rows; i += kRowsA) add_row_group<Term, kRowsA>(block, i, begin, n);
    for (; i < block.a_rows; ++i) add_row_group<Term, 1>(block, i, begin, n);
  }
}

void absolute_block(const PairBlock& block) { add_block<Absolute>(block); }
void squared_block(const PairBlock& block) { add_block<Squared>(block); }

template <class Term>
float one_pair(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t begin = 0; begin < width; begin += kStretch) {
    add_pairs<Term, 1, 1>(a + begin, b + begin, width, std::min(kStretch, width - begin), &sum, 1);
  }
  return static_cast<float>(sum);
}

float absolute_pair(const float* a, const float* b, std::size_t width) { return one_pair<Absolute>(a, b, width); }
float squared_pair(const float* a, const float* b, std::size_t width) { return one_pair<Squared>(a, b, width); }
PairSum choose_absolute() { return absolute_pair; }
PairSum choose_squared() { return squared_pair; }

}  // namespace
}  // namespace actforge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace actforge {
namespace {

HWY_EXPORT(absolute_block);
HWY_EXPORT(squared_block);
HWY_EXPORT(choose_absolute);
HWY_EXPORT(choose_squared);

}  // namespace

void add_absolute_differences(const PairBlock& block) { HWY_DYNAMIC_DISPATCH(absolute_block)(block); }
void add_squared_differences(const PairBlock& block) { HWY_DYNAMIC_DISPATCH(squared_block)(block); }
PairSum absolute_differences() { return HWY_DYNAMIC_DISPATCH(choose_absolute)(); }
PairSum squared_differences() { return HWY_DYNAMIC_DISPATCH(choose_squared)(); }

}  // namespace actforge
#endif
