#include "actforge/base/random.h"

#include <cmath>
#include <numbers>

#include "actforge/base/hash.h"

namespace actforge {
namespace {

std::uint64_t rotate(std::uint64_t word, int by) { return word << by | word >> (64 - by); }

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t trial, std::string_view purpose) {
  for (std::uint64_t half = 0; half < 2; ++half) {
    const Hash128 hash = Hasher().add(seed).add(trial).add(purpose).add(half).finish();
    state_[2 * half] = hash.high;
    state_[2 * half + 1] = hash.low;
  }
}

// xoshiro256++ of Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021).
std::uint64_t Random::next() {
  auto& s = state_;
  const std::uint64_t result = rotate(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  // Numbers from the incomplete last run of `bound` are drawn again.
  const std::uint64_t incomplete = (0 - bound) % bound;
  std::uint64_t word = next();
  while (word < incomplete) word = next();
  return word % bound;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::normal() {
  // Box and Muller; 1 - u is never zero.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace actforge
