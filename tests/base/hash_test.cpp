#include "actforge/base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace actforge {
namespace {

TEST(Hash, IsStable) {
  // Stored in databases: these must never change.
  EXPECT_EQ(Hasher().finish().hex(), "c44fb4edab45902b1c6e53496b011c09");
  EXPECT_EQ(Hasher().add(std::string_view("relu")).add(7).finish().hex(), "4985ece9f4e7dabb09381752454627c0");
}

TEST(Hash, OrderAndBoundariesMatter) {
  EXPECT_NE(Hasher().add(1).add(2).finish(), Hasher().add(2).add(1).finish());
  EXPECT_NE(Hasher().add(std::string_view("ab")).add(std::string_view("c")).finish(),
            Hasher().add(std::string_view("a")).add(std::string_view("bc")).finish());
}

TEST(Hash, OneBitChangesHalfOfThem) {
  double changed = 0;
  int cases = 0;
  for (std::uint64_t word = 0; word < 64; ++word) {
    for (int bit = 0; bit < 64; bit += 7) {
      const Hash128 a = Hasher().add(word).finish(), b = Hasher().add(word ^ std::uint64_t{1} << bit).finish();
      changed += std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low);
      ++cases;
    }
  }
  EXPECT_NEAR(changed / cases, 64, 1.5);
}

TEST(Hash, HalvesOfManyWordsDiffer) {
  std::set<std::uint64_t> high, low;
  for (std::uint64_t word = 0; word < 100000; ++word) {
    const Hash128 hash = Hasher().add(word).finish();
    high.insert(hash.high);
    low.insert(hash.low);
  }
  EXPECT_EQ(high.size(), 100000u);
  EXPECT_EQ(low.size(), 100000u);
}

// Long runs of words go a faster way: every bit of every word counts, and so does its place.
TEST(Hash, EveryBitOfALongRunCounts) {
  std::vector<std::uint32_t> words(1500);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const auto hash = [&] { return Hasher().add(std::span<const std::uint32_t>(words)).finish(); };
  std::set<Hash128> seen = {hash()};
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] ^= 1u << i % 32;
    seen.insert(hash());
    words[i] ^= 1u << i % 32;
  }
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::swap(words[i], words[i + 1]);
    seen.insert(hash());
    std::swap(words[i], words[i + 1]);
  }
  EXPECT_EQ(seen.size(), 1 + 1500u + 1499);
}

TEST(Hash, ARunKnowsItsLength) {
  std::set<Hash128> seen;
  for (std::size_t length = 0; length < 2100; ++length) {
    seen.insert(Hasher().add(std::span<const std::uint32_t>(std::vector<std::uint32_t>(length))).finish());
  }
  EXPECT_EQ(seen.size(), 2100u);
}

}  // namespace
}  // namespace actforge
