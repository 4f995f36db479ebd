#include "actforge/report/plots/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace actforge {
namespace {

// Bits of the Braille patterns from U+2800 on, by row and column of the dot.
constexpr std::array<std::array<unsigned, 2>, 4> kBraille{{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

// Which of `count` equal parts of [0, 1] holds the value.
int part_of(double value, int count) {
  return static_cast<int>(std::clamp(std::floor(value * count), 0.0, count - 1.0));
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool braille)
    : columns_(columns),
      rows_(rows),
      dots_across_(braille ? 2 : 1),
      dots_down_(braille ? 4 : 1),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

int Canvas::column_of(double u) const { return part_of(u, columns_); }

int Canvas::row_of(double v) const { return rows_ - 1 - part_of(v, rows_); }

void Canvas::dot(int x, int y, int curve) {
  Cell& here = cell(x / dots_across_, y / dots_down_);
  here.dots |= kBraille[static_cast<std::size_t>(y % dots_down_)][static_cast<std::size_t>(x % dots_across_)];
  here.curve = curve;
}

void Canvas::draw(const Polyline& line, int curve) {
  const int across = columns_ * dots_across_;
  const int down = rows_ * dots_down_;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const FramePoint from = line[i == 0 ? 0 : i - 1];
    const FramePoint to = line[i];
    const double steps = std::ceil(std::max(std::abs(to.u - from.u) * across, std::abs(to.v - from.v) * down));
    for (double k = 0; k <= steps; ++k) {
      const double t = steps == 0 ? 0 : k / steps;
      const double u = from.u + t * (to.u - from.u);
      const double v = from.v + t * (to.v - from.v);
      dot(part_of(u, across), down - 1 - part_of(v, down), curve);
    }
  }
}

bool Canvas::mark(int column, int curve, char letter) {
  for (int row = 0; row < rows_; ++row) {
    if (cell(column, row).curve != curve) continue;
    cell(column, row).letter = letter;
    return true;
  }
  return false;
}

}  // namespace actforge
