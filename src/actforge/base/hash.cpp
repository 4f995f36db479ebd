#include "actforge/base/hash.h"

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
