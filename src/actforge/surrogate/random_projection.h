#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "actforge/surrogate/points.h"

namespace actforge {

// Fewer features with about the same Euclidean distances: each new one is a sum of all old ones with normal weights of
// variance 1/to. With from == to, points stay as they are.
class RandomProjection {
 public:
  enum Scale { kAsIs, kUnitRows };

  RandomProjection(std::size_t from, std::size_t to, std::uint64_t seed);

  std::size_t to_width() const { return to_; }
  // With kUnitRows, rows are divided by their lengths first. Numbers too large for a float become the largest.
  Points apply(PointsView points, Scale scale, std::size_t threads) const;

 private:
  std::size_t from_;
  std::size_t to_;
  std::vector<float> weights_;  // from rows of `to`; empty where points stay
};

}  // namespace actforge
