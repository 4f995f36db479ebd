#include "actforge/base/hash.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace actforge {
namespace {

// A bijection of 64-bit words with good avalanche: two rounds of xor-shift and odd multiplication.
std::uint64_t mix(std::uint64_t word) {
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93u;
  word ^= word >> 32;
  return word;
}

std::uint64_t rotate(std::uint64_t word, int by) { return word << by | word >> (64 - by); }

}  // namespace

Hasher& Hasher::add(std::uint64_t word) {
  // The halves use different multipliers and feed each other, so that a collision in one is not one in the other.
  high_ = mix(high_ ^ (word * 0x9e3779b97f4a7c15u)) + rotate(low_, 23);
  low_ = mix(low_ + (word ^ 0xc2b2ae3d27d4eb4fu)) ^ rotate(high_, 41);
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  add(text.size());
  while (!text.empty()) {
    // Assembled byte by byte, so that big-endian machines agree.
    std::uint64_t word = 0;
    const std::size_t take = text.size() < 8 ? text.size() : 8;
    for (std::size_t i = 0; i < take; ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    add(word);
    text.remove_prefix(take);
  }
  return *this;
}

// The NH family of Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: fast and secure message authentication" (1999):
// the sum of (a + k)(b + k') over pairs of words, 32 x 32 -> 64 bits. For random keys two different blocks agree with
// probability 2^-32 at most; four sums with keys shifted by a pair each, 2^-128. Compilers turn it into vector code.
Hasher& Hasher::add(std::span<const std::uint32_t> words) {
  constexpr std::size_t kBlock = 1024, kSums = 4;
  static const auto keys = [] {
    std::array<std::uint32_t, kBlock + 2 * kSums> list;
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i] = static_cast<std::uint32_t>(mix(0x9e3779b97f4a7c15u * (i + 1)) >> 32);
    }
    return list;
  }();
  add(words.size());
  std::array<std::uint32_t, kBlock> block;
  while (!words.empty()) {
    const std::size_t length = std::min(words.size(), kBlock);
    std::copy_n(words.begin(), length, block.begin());
    std::fill(block.begin() + static_cast<std::ptrdiff_t>(length), block.end(), 0u);
    const std::size_t used = (length + 1) / 2 * 2;
    std::array<std::uint64_t, kSums> sums{};
    for (std::size_t j = 0; j < kSums; ++j) {
      const std::uint32_t* k = keys.data() + 2 * j;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < used; i += 2) {
        sum += std::uint64_t{block[i] + k[i]} * std::uint64_t{block[i + 1] + k[i + 1]};
      }
      sums[j] = sum;
    }
    for (const std::uint64_t sum : sums) add(sum);
    words = words.subspan(length);
  }
  return *this;
}

Hash128 Hasher::finish() const { return {mix(high_ + low_), mix(low_ ^ rotate(high_, 32))}; }

std::string Hash128::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t word : {high, low}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[word >> shift & 15];
  }
  return text;
}

}  // namespace actforge
