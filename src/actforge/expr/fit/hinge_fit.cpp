#include "actforge/expr/fit/hinge_fit.h"

#include <algorithm>
#include <cmath>

namespace actforge {
namespace {

// One side as it is seen from 0: u = |x| grows outwards.
struct Outward {
  std::vector<double> bend = {};   // u
  std::vector<double> value = {};  // wanted there
  double tail = 0;                 // wanted slope beyond the last
};

Outward outward(const LinearPieces& pieces, bool right) {
  const std::size_t bends = pieces.x.size() - 2, below = bends_left_of_zero(pieces);
  Outward side;
  const auto add = [&](std::size_t point) {
    side.bend.push_back(std::fabs(pieces.x[point]));
    side.value.push_back(pieces.y[point]);
  };
  if (right) {
    for (std::size_t point = below + 1; point <= bends; ++point) add(point);
    side.tail = pieces.slope(pieces.pieces() - 1);
  } else {
    for (std::size_t point = below; point >= 1; --point) add(point);
    side.tail = -pieces.slope(0);
  }
  return side;
}

struct Start {
  double value = 0, slope = 0, step = 1;  // step: what slopes are rounded to
};

HingeSide walk(const Outward& wanted, const Start& start, double sign) {
  HingeSide side;
  double value = start.value, slope = start.slope, at = 0;
  for (std::size_t i = 0; i < wanted.bend.size(); ++i) {
    value += slope * (wanted.bend[i] - at);
    at = wanted.bend[i];
    const bool last = i + 1 == wanted.bend.size();
    const double next = last ? wanted.tail : (wanted.value[i + 1] - value) / (wanted.bend[i + 1] - at);
    const double change = rounded_to(next - slope, start.step);
    if (change == 0) continue;
    side.hinges.push_back({.at = sign * at, .factor = change});
    slope += change;
  }
  if (side.hinges.empty()) return side;
  end_side(side, start.slope, side.hinges.back().at, rounded_to(wanted.tail, start.step));
  if (side.ends) side.hinges.pop_back();
  return side;
}

}  // namespace

std::size_t bends_left_of_zero(const LinearPieces& pieces) {
  return static_cast<std::size_t>(std::lower_bound(pieces.x.begin() + 1, pieces.x.end() - 1, 0.0) - pieces.x.begin()) -
         1;
}

void end_side(HingeSide& side, double slope, double end, double tail) {
  const auto differs = [](double a, double b) { return a * b < 0; };
  double first = slope;
  for (const Hinge& hinge : side.hinges) {
    if (first == 0) first = hinge.factor;
    side.ends = side.ends || differs(first, hinge.factor);
  }
  if (!side.ends) return;
  side.end = end;
  side.tail = tail;
}

HingeForm hinges_of(const LinearPieces& pieces) {
  double largest_value = 0, largest_slope = 0;
  for (const double y : pieces.y) largest_value = std::max(largest_value, std::fabs(y));
  for (std::size_t i = 0; i < pieces.pieces(); ++i) {
    largest_slope = std::max(largest_slope, std::fabs(pieces.slope(i)));
  }
  const double step = hinge_step(largest_slope);
  HingeForm form;
  form.value = rounded_to(pieces.value(0), hinge_step(largest_value));
  form.slope = rounded_to(pieces.slope(bends_left_of_zero(pieces)), step);
  form.right = walk(outward(pieces, true), {.value = form.value, .slope = form.slope, .step = step}, 1);
  form.left = walk(outward(pieces, false), {.value = form.value, .slope = -form.slope, .step = step}, -1);
  return form;
}

}  // namespace actforge
