#pragma once

#include <string>
#include <vector>

#include "actforge/report/svg/svg.h"

namespace actforge {

// Very many points of a picture, as shades of small squares: however many there are, the picture stays small.
class PointDensity {
 public:
  static constexpr std::size_t kShades = 5;

  // Squares of this many pixels.
  PointDensity(const Box& box, double cell);

  void add(double x, double y);
  // Path data of horizontal strokes, as wide as a square is high, for each shade; the last one where most points are.
  // Shades go with the logarithm of how many points there are, up to the fullest squares but one in a hundred: else a
  // few knots would leave one shade to all the rest.
  std::vector<std::string> shades() const;

 private:
  static std::size_t shade_of(unsigned count, unsigned many);
  unsigned many() const;

  Box box_;
  double cell_;
  std::size_t columns_, rows_;
  std::vector<unsigned> counts_;
};

}  // namespace actforge
