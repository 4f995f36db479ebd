#include "actforge/init/weights/random_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "actforge/init/weights/random_fill_coefficients.h"
#include "actforge/init/weights/weight_distribution.h"

namespace actforge {
namespace {

constexpr RandomShape kShapes[] = {RandomShape::kUniform, RandomShape::kNormal, RandomShape::kTruncatedNormal};

std::string name(RandomShape shape) {
  switch (shape) {
    case RandomShape::kUniform: return "uniform";
    case RandomShape::kNormal: return "normal";
    case RandomShape::kTruncatedNormal: return "truncated normal";
  }
  return "?";
}

std::vector<float> draw(const RandomFill& how, std::size_t count) {
  std::vector<float> values(count);
  fill_random(how, values);
  return values;
}

// The oracle: one stream after the other, one number after the other.
class Oracle {
 public:
  Oracle(const RandomFill& how, std::uint64_t chunk, std::uint64_t stream) : how_(how) {
    const std::uint64_t first = mixed(32 * chunk + stream), second = mixed(32 * chunk + 16 + stream);
    s_ = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
          static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)};
  }

  std::array<float, 2> pair() {
    const std::uint32_t first = next(), second = next();
    switch (how_.shape) {
      case RandomShape::kUniform: return {uniform(first), uniform(second)};
      case RandomShape::kTruncatedNormal: return {truncated(first), truncated(second)};
      case RandomShape::kNormal: return normals(first, second);
    }
    return {};
  }

 private:
  std::uint64_t mixed(std::uint64_t counter) const {
    std::uint64_t x = how_.key + 0x9e3779b97f4a7c15u * (counter + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  std::uint32_t next() {
    const std::uint32_t result = s_[0] + s_[3], shifted = s_[1] << 9;
    s_[2] ^= s_[0], s_[3] ^= s_[1], s_[1] ^= s_[2], s_[0] ^= s_[3], s_[2] ^= shifted;
    s_[3] = std::rotl(s_[3], 11);
    return result;
  }
  template <std::size_t N>
  static float polynomial(const float (&k)[N], float x) {
    float sum = 0;
    for (std::size_t i = N; i-- > 0;) sum = std::fma(sum, x, k[i]);
    return sum;
  }
  static float symmetric(std::uint32_t word) { return static_cast<float>(static_cast<std::int32_t>(word | 1)); }

  float uniform(std::uint32_t word) const { return symmetric(word) * (how_.scale * 0x1p-31f); }
  template <std::size_t N>
  float scaled(const float (&k)[N], float x) const {
    float products[N];
    for (std::size_t i = 0; i < N; ++i) products[i] = k[i] * how_.scale;
    return polynomial(products, x);
  }
  float truncated(std::uint32_t word) const {
    const float v = symmetric(word) * 0x1p-31f, w = std::fma(v, -v, 1.0f);
    return v * scaled(random_fill::kTruncatedP, w) / polynomial(random_fill::kTruncatedQ, w);
  }
  std::array<float, 2> normals(std::uint32_t first, std::uint32_t second) const {
    int e = 0;
    float m = std::frexp(static_cast<float>((first & 0x7fffffff) | 1), &e);
    if (m < std::bit_cast<float>(0x3f3504f3)) m *= 2, --e;
    const float log =
        std::fma(m - 1, polynomial(random_fill::kMinusTwoLogP, m - 1), static_cast<float>(31 - e) * 1.38629436f);
    const float radius = std::sqrt(log), t = symmetric(second) * 0x1p-31f;
    const float cosine = scaled(random_fill::kCosineP, t * t), sine = t * scaled(random_fill::kSineP, t * t);
    return {radius * (first >> 31 ? -std::fabs(cosine) : cosine), radius * sine};
  }

  const RandomFill& how_;
  std::array<std::uint32_t, 4> s_;
};

std::vector<float> slow_chunk(const RandomFill& how, std::uint64_t chunk) {
  std::vector<float> values(kRandomChunk);
  for (std::size_t stream = 0; stream < 16; ++stream) {
    Oracle oracle(how, chunk, stream);
    for (std::size_t turn = 0; turn < kRandomChunk / 32; ++turn) {
      const auto [first, second] = oracle.pair();
      values[32 * turn + stream] = first;
      values[32 * turn + 16 + stream] = second;
    }
  }
  return values;
}

TEST(RandomFill, EveryInstructionSetGivesTheBitsOfTheOracle) {
  for (const RandomShape shape : kShapes) {
    for (const std::uint64_t chunk : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
      const RandomFill how = {.shape = shape, .key = 77 + chunk, .scale = 0.37f};
      const std::vector<float> slow = slow_chunk(how, chunk);
      for (const RandomChunkFiller& filler : random_chunk_fillers()) {
        std::vector<float> fast(kRandomChunk);
        filler.fill(how, chunk, fast);
        for (std::size_t i = 0; i < kRandomChunk; ++i) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(fast[i]), std::bit_cast<std::uint32_t>(slow[i]))
              << name(shape) << " on " << filler.target << " at " << i;
        }
      }
    }
  }
}

// Every length gives the beginning of the longer ones, and nothing beyond it is touched.
TEST(RandomFill, LengthsDoNotMatter) {
  for (const RandomShape shape : kShapes) {
    const RandomFill how = {.shape = shape, .key = 3};
    const std::vector<float> all = draw(how, 3 * kRandomChunk);
    for (const std::size_t count : {0, 1, 15, 16, 17, 31, 32, 33, 100, 4095, 4096, 4097, 4128, 12000}) {
      std::vector<float> values(count + 1, 42.0f);
      fill_random(how, std::span(values).first(count));
      EXPECT_TRUE(std::equal(values.begin(), values.end() - 1, all.begin())) << name(shape) << ' ' << count;
      EXPECT_EQ(values.back(), 42.0f);
    }
  }
}

TEST(RandomFill, NumberOfThreadsDoesNotMatter) {
  constexpr std::size_t kCount = (std::size_t{1} << 20) + 12345;
  for (const RandomShape shape : kShapes) {
    const std::vector<float> one = draw({.shape = shape, .key = 5, .threads = 1}, kCount);
    for (const std::size_t threads : {0, 2, 7}) {
      EXPECT_EQ(one, draw({.shape = shape, .key = 5, .threads = threads}, kCount)) << name(shape) << ' ' << threads;
    }
  }
}

double cumulative(RandomShape shape, double x) {
  const double normal = std::erfc(-x / std::sqrt(2.0)) / 2, inside = std::erf(std::sqrt(2.0));
  switch (shape) {
    case RandomShape::kUniform: return (x + 1) / 2;
    case RandomShape::kNormal: return normal;
    case RandomShape::kTruncatedNormal: return (normal - 0.5) / inside + 0.5;
  }
  return 0;
}

// E[x²] and E[x⁴]; for the truncated normal by parts: E[xⁿ] = (n - 1) E[xⁿ⁻²] - 2·2ⁿ⁻¹ φ(2)/erf(√2).
std::array<double, 2> even_moments(RandomShape shape) {
  if (shape == RandomShape::kUniform) return {1.0 / 3, 1.0 / 5};
  if (shape == RandomShape::kNormal) return {1, 3};
  const double edge = 2 * std::exp(-2.0) / std::sqrt(2 * M_PI) / std::erf(std::sqrt(2.0));
  const double second = 1 - 2 * edge;
  return {second, 3 * second - 8 * edge};
}

constexpr std::size_t kMany = 10'000'000;

// Within five standard errors. Those of the variance are a thousandth of it at most.
TEST(RandomFill, MomentsUpToTheFourth) {
  constexpr std::size_t kKeys = 6;
  for (const RandomShape shape : kShapes) {
    std::array<double, 9> moments{};
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      for (const float value : draw({.shape = shape, .key = key}, kMany)) {
        double power = 1;
        for (double& moment : moments) moment += power, power *= static_cast<double>(value);
      }
    }
    for (double& moment : moments) moment /= kKeys * kMany;
    const auto [second, fourth] = even_moments(shape);
    const double exact[] = {1, 0, second, 0, fourth};
    for (std::size_t n = 1; n <= 4; ++n) {
      const double error = std::sqrt((moments[2 * n] - moments[n] * moments[n]) / (kKeys * kMany));
      EXPECT_NEAR(moments[n], exact[n], 5 * error) << name(shape) << ", moment " << n;
      if (n == 2) {
        EXPECT_LT(5 * error / second, 1e-3) << name(shape);
      }
    }
  }
  EXPECT_NEAR(even_moments(RandomShape::kTruncatedNormal)[0], kTruncatedDeviation * kTruncatedDeviation, 1e-12);
}

// Kolmogorov and Smirnov: sqrt(n) D exceeds 1.95 once in a thousand times. The distance is taken at a million
// quantiles, which can hide no more than a millionth of it and saves the sorting.
TEST(RandomFill, DistributionsAreThoseOfTheirName) {
  constexpr std::size_t kQuantiles = 1 << 20;
  for (const RandomShape shape : kShapes) {
    std::vector<std::uint32_t> counts(kQuantiles + 1);
    for (const float value : draw({.shape = shape, .key = 13}, kMany)) {
      ++counts[static_cast<std::size_t>(cumulative(shape, static_cast<double>(value)) * kQuantiles)];
    }
    double distance = 0, below = 0;
    for (std::size_t i = 0; i < kQuantiles; ++i) {
      distance = std::max(distance, std::fabs(below / kMany - static_cast<double>(i) / kQuantiles));
      below += counts[i];
    }
    EXPECT_LT(distance * std::sqrt(kMany), 1.95) << name(shape);
    EXPECT_GT(distance * std::sqrt(kMany), 0.3) << name(shape);  // nor better than chance
  }
}

TEST(RandomFill, TailsAreAsLongAsTheyShouldBe) {
  constexpr std::size_t kCount = 40'000'000;
  std::array<double, 6> beyond{};
  for (const float value : draw({.shape = RandomShape::kNormal, .key = 17}, kCount)) {
    ASSERT_LT(std::fabs(value), 6.6f);
    for (std::size_t k = 3; k < beyond.size(); ++k) beyond[k] += std::fabs(value) > static_cast<float>(k);
  }
  for (std::size_t k = 3; k < beyond.size(); ++k) {
    const double expected = kCount * std::erfc(static_cast<double>(k) / std::sqrt(2.0));
    EXPECT_NEAR(beyond[k], expected, 5 * std::sqrt(expected)) << k;
  }
  // The quantile of the truncated one rises to its limits and not beyond.
  float largest = 0;
  for (const float value : draw({.shape = RandomShape::kTruncatedNormal, .key = 17}, kMany)) {
    largest = std::max(largest, std::fabs(value));
  }
  EXPECT_LE(largest, 2.0f);
  EXPECT_GT(largest, 1.99999f);
}

TEST(RandomFill, NoChunkComesTwice) {
  std::set<std::vector<float>> beginnings;
  constexpr std::size_t kChunks = 2000;
  for (const std::uint64_t key : {0, 1, 2}) {
    const std::vector<float> values = draw({.shape = RandomShape::kUniform, .key = key}, kChunks * kRandomChunk);
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(chunk * kRandomChunk);
      // Each of its streams counts.
      for (std::ptrdiff_t stream = 0; stream < 16; ++stream) {
        beginnings.insert({begin[stream], begin[stream + 16], begin[stream + 32]});
      }
    }
  }
  EXPECT_EQ(beginnings.size(), 3 * kChunks * 16);
}

// Of numbers some places apart: neighbours, the other one of a pair, the stream's next, the same place of the next
// chunk. The squares too, as the two of a pair share a radius.
TEST(RandomFill, PlacesAreNotCorrelated) {
  constexpr std::size_t kCount = 1000 * kRandomChunk;
  for (const RandomShape shape : kShapes) {
    const std::vector<float> values = draw({.shape = shape, .key = 19}, kCount);
    const auto [second, fourth] = even_moments(shape);
    for (const std::size_t lag : {std::size_t{1}, std::size_t{2}, std::size_t{8}, std::size_t{16}, std::size_t{32},
                                  std::size_t{64}, kRandomChunk, kRandomChunk + 1, 2 * kRandomChunk}) {
      double product = 0, squares = 0;
      for (std::size_t i = lag; i < kCount; ++i) {
        const auto a = static_cast<double>(values[i]), b = static_cast<double>(values[i - lag]);
        product += a * b;
        squares += (a * a - second) * (b * b - second);
      }
      const double error = 1 / std::sqrt(static_cast<double>(kCount - lag));
      EXPECT_NEAR(product / second / static_cast<double>(kCount - lag), 0, 5 * error) << name(shape) << ' ' << lag;
      EXPECT_NEAR(squares / (fourth - second * second) / static_cast<double>(kCount - lag), 0, 5 * error)
          << name(shape) << ' ' << lag;
    }
  }
}

// Of the same place under neighbouring keys.
TEST(RandomFill, KeysAreNotCorrelated) {
  constexpr std::size_t kCount = 1 << 20;
  std::vector<float> last = draw({.key = 0}, kCount);
  for (const std::uint64_t key : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 63}) {
    const std::vector<float> values = draw({.key = key}, kCount);
    double product = 0;
    for (std::size_t i = 0; i < kCount; ++i) product += static_cast<double>(values[i]) * static_cast<double>(last[i]);
    EXPECT_NEAR(product / kCount, 0, 5 / std::sqrt(static_cast<double>(kCount))) << key;
    last = values;
  }
}

}  // namespace
}  // namespace actforge
