#include "actforge/init/weights/random_fill.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "actforge/base/parallel.h"
#include "actforge/init/weights/random_fill_coefficients.h"

// Plain, AVX2 and AVX-512 on x86, NEON on ARM.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/init/weights/random_fill.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef ACTFORGE_INIT_RANDOM_FILL_ONCE
#define ACTFORGE_INIT_RANDOM_FILL_ONCE
namespace actforge::random_fill {

// A chunk is made by this many streams side by side, as many as the widest vectors have lanes: narrower ones take
// several turns. A turn of a stream gives two numbers, this many places apart.
inline constexpr std::size_t kStreams = 16;
inline constexpr std::size_t kTurn = 2 * kStreams;

struct Seeds {
  alignas(64) std::uint32_t words[4][kStreams];
};

// SplitMix64 (Steele, Lea and Flood 2014). It is a bijection of the counter, so no stream begins with four zeros, which
// it would never leave.
inline std::uint64_t mixed(std::uint64_t key, std::uint64_t counter) {
  std::uint64_t x = key + 0x9e3779b97f4a7c15u * (counter + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

inline Seeds chunk_seeds(std::uint64_t key, std::uint64_t chunk) {
  Seeds seeds;
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
      const std::uint64_t word = mixed(key, kTurn * chunk + kStreams * half + stream);
      seeds.words[2 * half][stream] = static_cast<std::uint32_t>(word);
      seeds.words[2 * half + 1][stream] = static_cast<std::uint32_t>(word >> 32);
    }
  }
  return seeds;
}

}  // namespace actforge::random_fill
#endif

// All instruction sets give the same bits: sums of products are fused where it says so and nowhere else, as this file
// is compiled without contraction. Fused ones are half the operations, and drawing is bound by their number: with
// 512-bit vectors a turn of 32 numbers takes about 55 for normal and 40 for truncated numbers (and a square root or two
// divisions), of which two start in a cycle at most.
HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using namespace random_fill;  // NOLINT

using F = hn::CappedTag<float, kStreams>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using VF = hn::VFromD<F>;
using VI = hn::VFromD<I>;
using VU = hn::VFromD<U>;

HWY_INLINE VF constant(float value) { return hn::Set(F(), value); }

// a b + c, rounded once. Where there is no such instruction, as on x86 before AVX2, the library's function gives the
// same number, and a draw takes some 20 ns.
HWY_INLINE VF fused(VF a, VF b, VF c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  constexpr std::size_t kLanes = hn::MaxLanes(F());
  alignas(64) float x[kLanes], y[kLanes], z[kLanes];
  hn::Store(a, F(), x), hn::Store(b, F(), y), hn::Store(c, F(), z);
  for (std::size_t i = 0; i < kLanes; ++i) x[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(F(), x);
#endif
}

template <std::size_t N>
HWY_INLINE VF polynomial(const float (&k)[N], VF x) {
  VF sum = constant(k[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) sum = fused(sum, x, constant(k[i]));
  return sum;
}

// One whose values are multiplied by a scale, for nothing.
template <std::size_t N>
class ScaledPolynomial {
 public:
  ScaledPolynomial(const float (&k)[N], float scale) {
    for (std::size_t i = 0; i < N; ++i) k_[i] = constant(k[i] * scale);
  }
  HWY_INLINE VF at(VF x) const {
    VF sum = k_[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) sum = fused(sum, x, k_[i]);
    return sum;
  }

 private:
  VF k_[N];
};

// xoshiro128+ of Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021), one in each lane. Its
// lowest bits are linear functions of the state, and no float keeps them but those next to zero. Two steps of the
// original are one here: x ^ (y ^ z) is one instruction.
struct Streams {
  VU a, b, c, d;

  static HWY_INLINE Streams load(const Seeds& seeds, std::size_t first) {
    return {hn::Load(U(), seeds.words[0] + first), hn::Load(U(), seeds.words[1] + first),
            hn::Load(U(), seeds.words[2] + first), hn::Load(U(), seeds.words[3] + first)};
  }
  HWY_INLINE VU next() {
    const VU result = hn::Add(a, d);
    const VU shifted = hn::ShiftLeft<9>(b), mixed = hn::Xor(d, b);
    b = hn::Xor3(b, c, a);
    c = hn::Xor3(c, a, shifted);
    a = hn::Xor(a, mixed);
    d = hn::RotateRight<32 - 11>(mixed);
    return result;
  }
};

// An odd integer between -2^31 and 2^31, so that both signs are equally likely and zero never occurs.
HWY_INLINE VF symmetric(VU word) { return hn::ConvertTo(F(), hn::BitCast(I(), hn::Or(word, hn::Set(U(), 1)))); }

struct Pair {
  VF first, second;
};

class Uniform {
 public:
  explicit Uniform(float scale) : scale_(constant(scale * 0x1p-31f)) {}
  HWY_INLINE Pair pair(Streams& streams) const {
    const VF first = symmetric(streams.next()), second = symmetric(streams.next());
    return {hn::Mul(first, scale_), hn::Mul(second, scale_)};
  }

 private:
  VF scale_;
};

// The quantile of a uniform number: nothing is drawn again, as it would be where only some lanes are out of bounds.
class TruncatedNormal {
 public:
  explicit TruncatedNormal(float scale) : p_(kTruncatedP, scale) {}
  HWY_INLINE Pair pair(Streams& streams) const {
    const VF first = number(streams.next());
    return {first, number(streams.next())};
  }

 private:
  HWY_INLINE VF number(VU word) const {
    const VF v = hn::Mul(symmetric(word), constant(0x1p-31f));
    const VF w = fused(v, hn::Neg(v), constant(1));
    return hn::Div(hn::Mul(v, p_.at(w)), polynomial(kTruncatedQ, w));
  }

  ScaledPolynomial<std::size(kTruncatedP)> p_;
};

// Box and Muller: sqrt(-2 log u) (cos φ, sin φ). One word has u and which half of the circle it is, the other the angle
// in that half.
class Normal {
 public:
  explicit Normal(float scale) : cosine_(kCosineP, scale), sine_(kSineP, scale) {}
  HWY_INLINE Pair pair(Streams& streams) const {
    const VU word = streams.next();
    const VF radius = hn::Sqrt(minus_two_log(word));
    const VF t = hn::Mul(symmetric(streams.next()), constant(0x1p-31f)), z = hn::Mul(t, t);
    // The cosine is positive, but for a rounding error at the ends: to set its sign is to negate it.
    const VU cosine = hn::OrAnd(hn::BitCast(U(), cosine_.at(z)), word, hn::Set(U(), 0x80000000u));
    return {hn::Mul(radius, hn::BitCast(F(), cosine)), hn::Mul(radius, hn::Mul(t, sine_.at(z)))};
  }

 private:
  // -2 log u, u an odd multiple of 2^-31. Its float u 2^31 = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); at u = 1,
  // e = 31 and the result is zero without cancellation.
  static HWY_INLINE VF minus_two_log(VU word) {
    const VU odd = hn::OrAnd(hn::Set(U(), 1), word, hn::Set(U(), 0x7fffffffu));
    const VI bits = hn::BitCast(I(), hn::ConvertTo(F(), hn::BitCast(I(), odd)));
    const VI e = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(I(), 0x3f3504f3)));
    const VF f = hn::Sub(hn::BitCast(F(), hn::Sub(bits, hn::ShiftLeft<23>(e))), constant(1));
    const VF whole = hn::Mul(hn::ConvertTo(F(), hn::Sub(hn::Set(I(), 31), e)), constant(1.38629436f));
    return fused(f, polynomial(kMinusTwoLogP, f), whole);
  }

  ScaledPolynomial<std::size(kCosineP)> cosine_;
  ScaledPolynomial<std::size(kSineP)> sine_;
};

template <class Shape>
void fill_chunk(const RandomFill& how, std::uint64_t chunk, std::span<float> values) {
  // All streams take a turn before any takes the next, so that memory is written in order whatever the width of
  // vectors.
  constexpr std::size_t kLanes = hn::MaxLanes(F()), kParts = kStreams / kLanes;
  const Shape shape(how.scale);
  const Seeds seeds = chunk_seeds(how.key, chunk);
  Streams streams[kParts];
  for (std::size_t i = 0; i < kParts; ++i) streams[i] = Streams::load(seeds, i * kLanes);
  const auto turn = [&](float* to) HWY_ATTR {
    for (std::size_t i = 0; i < kParts; ++i) {
      const Pair pair = shape.pair(streams[i]);
      hn::StoreU(pair.first, F(), to + i * kLanes);
      hn::StoreU(pair.second, F(), to + i * kLanes + kStreams);
    }
  };
  const std::size_t turns = values.size() / kTurn, rest = values.size() % kTurn;
  for (std::size_t i = 0; i < turns; ++i) turn(values.data() + i * kTurn);
  if (rest == 0) return;
  alignas(64) float last[kTurn];
  turn(last);
  std::memcpy(values.data() + turns * kTurn, last, rest * sizeof(float));
}

}  // namespace

void fill_random_chunk(const RandomFill& how, std::uint64_t chunk, std::span<float> values) {
  switch (how.shape) {
    case RandomShape::kUniform: return fill_chunk<Uniform>(how, chunk, values);
    case RandomShape::kNormal: return fill_chunk<Normal>(how, chunk, values);
    case RandomShape::kTruncatedNormal: return fill_chunk<TruncatedNormal>(how, chunk, values);
  }
}

}  // namespace actforge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace actforge {

std::span<const RandomChunkFiller> random_chunk_fillers() {
  static const std::vector<RandomChunkFiller> fillers = [] {
    struct Candidate {
      std::int64_t target;
      void (*fill)(const RandomFill&, std::uint64_t, std::span<float>);
    };
    std::vector<RandomChunkFiller> list;
    for (const Candidate& candidate : {Candidate{HWY_AVX3, HWY_CHOOSE_AVX3(fill_random_chunk)},
                                       Candidate{HWY_AVX2, HWY_CHOOSE_AVX2(fill_random_chunk)},
                                       Candidate{HWY_NEON, HWY_CHOOSE_NEON(fill_random_chunk)},
                                       Candidate{HWY_SCALAR, HWY_CHOOSE_FALLBACK(fill_random_chunk)}}) {
      if (candidate.fill == nullptr || (hwy::SupportedTargets() & candidate.target) == 0) continue;
      // Where the baseline has vectors, as on ARM, the fallback is that baseline once more.
      if (!list.empty() && list.back().fill == candidate.fill) continue;
      list.push_back({hwy::TargetName(candidate.target), candidate.fill});
    }
    return list;
  }();
  return fillers;
}

void fill_random(const RandomFill& how, std::span<float> values) {
  // To start a thread takes as long as to draw some ten thousand numbers.
  constexpr std::size_t kWorthThreads = std::size_t{1} << 20;
  const std::size_t threads = how.threads == 0 && values.size() < kWorthThreads ? 1 : thread_count(how.threads);
  const auto fill = random_chunk_fillers().front().fill;
  const std::size_t chunks = (values.size() + kRandomChunk - 1) / kRandomChunk;
  parallel_for(threads, chunks, [&](std::size_t begin, std::size_t end, std::size_t /*thread*/) {
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      const std::size_t start = chunk * kRandomChunk;
      fill(how, chunk, values.subspan(start, std::min(kRandomChunk, values.size() - start)));
    }
  });
}

}  // namespace actforge
#endif
