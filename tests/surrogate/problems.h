#pragma once

#include <cmath>

#include "actforge/base/random.h"
#include "actforge/surrogate/points.h"

namespace actforge {

inline Points random_points(std::size_t count, std::size_t width, std::uint64_t seed = 1) {
  Points points(count, width);
  Random random(seed, 0, "test points");
  for (float& value : points.values) value = static_cast<float>(random.normal());
  return points;
}

// A rolled-up sheet in three dimensions: what UMAP is made to unroll.
inline Points swiss_roll(std::size_t count) {
  Points points(count, 3);
  Random random(1, 0, "swiss roll");
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 4.7 * (1 + 2 * random.uniform());
    const double row[3] = {angle * std::cos(angle), 21 * random.uniform(), angle * std::sin(angle)};
    for (std::size_t d = 0; d < 3; ++d) points.row(i)[d] = static_cast<float>(row[d]);
  }
  return points;
}

// Balls far apart, `count` points in each.
inline Points balls(std::size_t number, std::size_t count, std::size_t width) {
  Points points = random_points(number * count, width);
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::size_t ball = i / count;
    points.row(i)[0] += 1000 * static_cast<float>(ball);
  }
  return points;
}

}  // namespace actforge
