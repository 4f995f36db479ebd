#pragma once

#include <cstddef>

namespace actforge {

// Sums over features, for every pair of a row of `a` and a row of `b`: sums[i*stride + j] += sum of |a_i - b_j|, or of
// its square. The numbers of a pair are added in the same order wherever the pair is in the block, so that no sum
// depends on how pairs are shared among threads. The instruction set is chosen when the program runs; sums differ in
// their last digits from one to another.
struct PairBlock {
  const float* a = nullptr;
  std::size_t a_rows = 0;
  const float* b = nullptr;
  std::size_t b_rows = 0;
  std::size_t width = 0;  // features of a row, the distance from a row to the next as well
  double* sums = nullptr;
  std::size_t stride = 0;
};
void add_absolute_differences(const PairBlock& block);
void add_squared_differences(const PairBlock& block);

// One pair.
using PairSum = float (*)(const float* a, const float* b, std::size_t width);
PairSum absolute_differences();
PairSum squared_differences();

}  // namespace actforge
