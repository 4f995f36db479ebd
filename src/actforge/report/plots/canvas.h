#pragma once

#include <string>
#include <vector>

#include "actforge/report/plots/curve.h"

namespace actforge {

// A grid of characters, each of them a block of dots (2 by 4 of Braille, or a single one), into which curves are drawn.
class Canvas {
 public:
  struct Cell {
    unsigned dots = 0;  // the bits of a Braille pattern
    int curve = -1;     // the last one drawn here
    char letter = 0;    // shown instead of the dots
  };

  Canvas(int columns, int rows, bool braille);

  void draw(const Polyline& line, int curve);
  // Writes the letter onto the curve in that column; false if it is not to be seen there.
  bool mark(int column, int curve, char letter);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  const Cell& cell(int column, int row) const { return cells_[row * columns_ + column]; }

  // The cell that holds a point of the frame.
  int column_of(double u) const;
  int row_of(double v) const;

 private:
  Cell& cell(int column, int row) { return cells_[row * columns_ + column]; }
  void dot(int x, int y, int curve);

  int columns_;
  int rows_;
  int dots_across_;  // in one cell
  int dots_down_;
  std::vector<Cell> cells_;
};

}  // namespace actforge
