#include "actforge/surrogate/points.h"

#include <cmath>
#include <string>
#include <utility>

#include "actforge/base/error.h"

namespace actforge {

Points Points::of(std::size_t columns, std::vector<float> numbers) {
  if (columns == 0 || numbers.size() % columns != 0) {
    throw Error(ErrorCode::kBadInput,
                std::to_string(numbers.size()) + " numbers cannot be divided into rows of " + std::to_string(columns));
  }
  Points points;
  points.count = numbers.size() / columns;
  points.width = columns;
  points.values = std::move(numbers);
  return points;
}

void check_finite(PointsView points, std::string_view what) {
  for (std::size_t i = 0; i < points.count; ++i) {
    const std::span<const float> row = points.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (std::isfinite(row[j])) continue;
      throw Error(ErrorCode::kBadInput, std::string(what) + ": row " + std::to_string(i) + " has " +
                                            (std::isnan(row[j]) ? "NaN" : "an infinite number") + " in column " +
                                            std::to_string(j));
    }
  }
}

void check_same_width(PointsView one, PointsView other) {
  if (one.width == other.width) return;
  throw Error(ErrorCode::kBadInput,
              "points of " + std::to_string(one.width) + " and of " + std::to_string(other.width) + " numbers");
}

}  // namespace actforge
