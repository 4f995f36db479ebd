#include "actforge/base/hash_index.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "actforge/base/random.h"

namespace actforge {
namespace {

// Against the standard library's map, with so few different low bits that most entries collide.
TEST(HashIndex, DoesWhatAMapDoes) {
  for (const std::uint64_t places : {4, 50, 100'000}) {
    HashIndex index;
    std::unordered_map<Hash128, std::uint32_t> map;
    Random random(places);
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      const Hash128 hash{random.below(100), random.below(places)};
      if (random.below(3) == 0) {
        index.erase(hash);
        map.erase(hash);
      } else {
        ASSERT_EQ(index.insert(hash, i), map.try_emplace(hash, i).first->second);
      }
      const Hash128 other{random.below(100), random.below(places)};
      const auto found = map.find(other);
      ASSERT_EQ(index.find(other), found == map.end() ? HashIndex::kNone : found->second);
      ASSERT_EQ(index.size(), map.size());
    }
    for (const auto& [hash, value] : map) ASSERT_EQ(index.find(hash), value);
    index.clear();
    EXPECT_EQ(index.size(), 0u);
    for (const auto& [hash, value] : map) ASSERT_EQ(index.find(hash), HashIndex::kNone);
  }
}

}  // namespace
}  // namespace actforge
