#include "actforge/surrogate/spectral_layout.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/random.h"
#include "actforge/surrogate/components.h"
#include "actforge/surrogate/spectral_modes.h"

namespace actforge {
namespace {

struct Square {
  double x = 0, y = 0;
  double side = 1;
};

// Rows of squares from left to right, the next row above; with one dimension a single row.
std::vector<Square> place_squares(const std::vector<std::vector<std::uint32_t>>& parts, std::size_t dimensions) {
  std::vector<Square> squares;
  double area = 0;
  for (const auto& part : parts) {
    const auto points = static_cast<double>(part.size());
    squares.push_back({.side = dimensions == 1 ? points : std::sqrt(points)});
    area += squares.back().side * squares.back().side;
  }
  const double width = dimensions == 1 ? area : 1.1 * std::sqrt(area);
  double x = 0, y = 0, height = 0;
  for (Square& square : squares) {
    if (x > 0 && x + square.side > width) {
      x = 0;
      y += height;
      height = 0;
    }
    square.x = x + square.side / 2;
    square.y = y + square.side / 2;
    x += square.side;
    height = std::max(height, square.side);
  }
  return squares;
}

// Coordinates of one part, the largest 1; random where the modes say nothing.
std::vector<double> part_shape(const FuzzyGraph& part, const SpectralOptions& options, Random& random) {
  const std::size_t numbers = part.count * options.dimensions;
  if (part.count == 1) return std::vector<double>(numbers, 0.0);
  if (part.count >= 2 * options.dimensions && part.count > options.dimensions + 1) {
    std::vector<double> modes = slowest_modes(part, {.count = options.dimensions, .run = options.run});
    double most = 0;
    for (const double value : modes) most = std::isfinite(value) ? std::max(most, std::fabs(value)) : value;
    if (std::isfinite(most) && most > 0) {
      for (double& value : modes) value /= most;
      return modes;
    }
  }
  std::vector<double> shape(numbers);
  for (double& value : shape) value = 2 * random.uniform() - 1;
  return shape;
}

}  // namespace

Points random_layout(std::size_t count, const SpectralOptions& options) {
  Points layout(count, options.dimensions);
  Random random(options.run.seed, 0, "umap random start");
  for (float& value : layout.values) value = static_cast<float>(20 * random.uniform() - 10);
  return layout;
}

Points spectral_layout(const FuzzyGraph& graph, const SpectralOptions& options) {
  Points layout(graph.count, options.dimensions);
  const std::vector<std::vector<std::uint32_t>> parts = connected_components(graph);
  const std::vector<Square> squares = place_squares(parts, options.dimensions);
  Random random(options.run.seed, 0, "umap spectral start");
  double most = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::vector<double> shape = part_shape(subgraph(graph, parts[p]), options, random);
    for (std::size_t i = 0; i < parts[p].size(); ++i) {
      for (std::size_t d = 0; d < options.dimensions; ++d) {
        // Squares do not touch, and a single part is in the middle.
        const double centre = parts.size() == 1 ? 0 : (d == 0 ? squares[p].x : d == 1 ? squares[p].y : 0);
        const double value = centre + 0.45 * squares[p].side * shape[i * options.dimensions + d];
        layout.row(parts[p][i])[d] = static_cast<float>(value);
        most = std::max(most, std::fabs(value));
      }
    }
  }
  const double expansion = most > 0 ? 10 / most : 1;
  for (float& value : layout.values) {
    value = static_cast<float>(expansion * static_cast<double>(value) + 1e-4 * random.normal());
  }
  return layout;
}

}  // namespace actforge
