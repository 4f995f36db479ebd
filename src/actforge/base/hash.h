#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace actforge {

// A 128-bit fingerprint: the same on every machine and in every version, so it may be stored.
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;

  std::string hex() const;
};

// Feeds values one after another; order matters.
class Hasher {
 public:
  Hasher& add(std::uint64_t word);
  Hasher& add(std::string_view text);
  // Many words at once, at the speed of memory: for whole vectors of numbers.
  Hasher& add(std::span<const std::uint32_t> words);
  Hasher& add(const Hash128& hash) { return add(hash.high).add(hash.low); }
  Hash128 finish() const;

 private:
  // Digits of pi and e: any two different odd-looking numbers will do.
  std::uint64_t high_ = 0x243f6a8885a308d3u;
  std::uint64_t low_ = 0xb7e151628aed2a6bu;
};

}  // namespace actforge

template <>
struct std::hash<actforge::Hash128> {
  std::size_t operator()(const actforge::Hash128& value) const noexcept { return value.low; }
};
