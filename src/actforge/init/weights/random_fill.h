#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace actforge {

enum class RandomShape : std::uint8_t { kUniform, kNormal, kTruncatedNormal };

// Random numbers of mean zero by the million.
struct RandomFill {
  RandomShape shape = RandomShape::kNormal;
  std::uint64_t key = 0;  // other keys, other numbers
  // The limits ±scale of a uniform distribution, the standard deviation of a normal one (before its tails are cut off
  // at two of them).
  float scale = 1;
  // 0: one per processor where there is work for more than one. The numbers do not depend on it.
  std::size_t threads = 0;
};

// The same bits on every machine with IEEE arithmetic, whatever its vectors: each number depends on the key and its
// place alone. Normal numbers reach 6.5 standard deviations.
void fill_random(const RandomFill& how, std::span<float> values);

// The numbers come in chunks of this many, each with streams of its own.
inline constexpr std::size_t kRandomChunk = 4096;

// The same for one instruction set.
struct RandomChunkFiller {
  std::string_view target;
  // `values` is the chunk or its beginning.
  void (*fill)(const RandomFill& how, std::uint64_t chunk, std::span<float> values);
};

// Those that this machine has, the best one first.
std::span<const RandomChunkFiller> random_chunk_fillers();

}  // namespace actforge
