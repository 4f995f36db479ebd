#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace actforge {

// A view of points: `count` rows of `width` numbers, one after another.
struct PointsView {
  const float* values = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;

  std::span<const float> row(std::size_t i) const { return {values + i * width, width}; }
  // Rows first .. first+number-1.
  PointsView rows(std::size_t first, std::size_t number) const { return {values + first * width, number, width}; }
};

// Features of many functions, or their places in an embedding.
struct Points {
  std::size_t count = 0;
  std::size_t width = 0;
  std::vector<float> values;  // row after row

  Points() = default;
  Points(std::size_t rows, std::size_t columns) : count(rows), width(columns), values(rows * columns) {}
  // Throws Error (kBadInput) unless the numbers are whole rows.
  static Points of(std::size_t columns, std::vector<float> numbers);

  std::span<float> row(std::size_t i) { return {values.data() + i * width, width}; }
  std::span<const float> row(std::size_t i) const { return {values.data() + i * width, width}; }
  // NOLINTNEXTLINE(google-explicit-constructor): a Points is a PointsView wherever one is wanted
  operator PointsView() const { return {values.data(), count, width}; }
};

// Throws Error (kBadInput) that names the first row with a number that is infinite or not a number. `what` begins the
// message: "features".
void check_finite(PointsView points, std::string_view what);

// Throws Error (kBadInput) where the two have rows of different width.
void check_same_width(PointsView one, PointsView other);

}  // namespace actforge
