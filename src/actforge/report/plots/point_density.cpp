#include "actforge/report/plots/point_density.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "actforge/report/svg/axis.h"

namespace actforge {
namespace {

std::size_t cells(double length, double cell) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(length / cell)));
}

std::size_t cell_of(double offset, double cell, std::size_t count) {
  return static_cast<std::size_t>(std::clamp(std::floor(offset / cell), 0.0, static_cast<double>(count - 1)));
}

}  // namespace

PointDensity::PointDensity(const Box& box, double cell)
    : box_(box),
      cell_(cell),
      columns_(cells(box.width(), cell)),
      rows_(cells(box.height(), cell)),
      counts_(columns_ * rows_) {}

void PointDensity::add(double x, double y) {
  ++counts_[cell_of(y - box_.top, cell_, rows_) * columns_ + cell_of(x - box_.left, cell_, columns_)];
}

std::size_t PointDensity::shade_of(unsigned count, unsigned many) {
  if (count <= 1 || many <= 1) return 0;
  const double share = std::log(static_cast<double>(count)) / std::log(static_cast<double>(many));
  return std::min(kShades - 1, static_cast<std::size_t>(share * kShades));
}

unsigned PointDensity::many() const {
  std::vector<unsigned> counts;
  std::copy_if(counts_.begin(), counts_.end(), std::back_inserter(counts), [](unsigned count) { return count > 0; });
  if (counts.empty()) return 0;
  const auto place = counts.begin() + static_cast<std::ptrdiff_t>((counts.size() - 1) * 99 / 100);
  std::nth_element(counts.begin(), place, counts.end());
  return *place;
}

std::vector<std::string> PointDensity::shades() const {
  const unsigned full = many();
  std::vector<std::string> paths(kShades);
  for (std::size_t row = 0; row < rows_; ++row) {
    const unsigned* counts = counts_.data() + row * columns_;
    for (std::size_t column = 0; column < columns_;) {
      const std::size_t first = column;
      if (counts[column++] == 0) continue;
      const std::size_t shade = shade_of(counts[first], full);
      while (column < columns_ && counts[column] != 0 && shade_of(counts[column], full) == shade) ++column;
      paths[shade] += "M" + fixed_text(box_.left + static_cast<double>(first) * cell_, 1) + " " +
                      fixed_text(box_.top + (static_cast<double>(row) + 0.5) * cell_, 1) + "h" +
                      fixed_text(static_cast<double>(column - first) * cell_, 1);
    }
  }
  return paths;
}

}  // namespace actforge
