#include "actforge/report/plots/label_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace actforge {
namespace {

constexpr double kMark = 5;    // half the side of a mark
constexpr double kBeside = 8;  // from the middle of a mark to its name
constexpr std::array<double, 8> kDistances{kBeside, 14, 22, 34, 48, 64, 84, 110};
constexpr int kDirections = 16;
constexpr double kHidden = 6;  // pixels that a name goes further, rather than cover one of the others

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

// Beginning at the right, in turns above and below.
double direction(int turn) {
  const int step = (turn + 1) / 2 * (turn % 2 == 0 ? 1 : -1);
  return 2 * std::numbers::pi * step / kDirections;
}

Box box_at(const MarkLabel& label, double distance, double angle) {
  const double x = label.x + std::cos(angle) * (distance + label.width / 2);
  const double y = label.y + std::sin(angle) * (distance + label.height / 2);
  return {x - label.width / 2, y - label.height / 2, x + label.width / 2, y + label.height / 2};
}

// Into the frame, where it is larger than the box.
Box moved_inside(Box box, const Box& frame) {
  const double right = std::max(0.0, frame.left - box.left) - std::max(0.0, box.right - frame.right);
  const double down = std::max(0.0, frame.top - box.top) - std::max(0.0, box.bottom - frame.bottom);
  return {box.left + right, box.top + down, box.right + right, box.bottom + down};
}

}  // namespace

std::vector<LabelBox> place_labels(const std::vector<MarkLabel>& labels, const Box& frame,
                                   const std::vector<Box>& others) {
  std::vector<LabelBox> places;
  for (const MarkLabel& label : labels) {
    LabelBox best;
    double least = -1;
    for (const double distance : kDistances) {
      for (int turn = 0; turn < kDirections; ++turn) {
        const Box box = moved_inside(box_at(label, distance, direction(turn)), frame);
        double covered = 0;
        for (const LabelBox& other : places) covered += overlap(box, other.box);
        for (const MarkLabel& mark : labels) {
          covered += overlap(box, {mark.x - kMark, mark.y - kMark, mark.x + kMark, mark.y + kMark});
        }
        const auto hidden =
            std::count_if(others.begin(), others.end(), [&](const Box& other) { return overlap(box, other) > 0; });
        // A pixel of a name that is covered is worse than any distance; of equal ones the first counts.
        const double cost = 1000 * covered + kHidden * static_cast<double>(hidden) + distance;
        if (least >= 0 && cost >= least) continue;
        least = cost;
        best = {.box = box, .apart = distance > 16};
      }
    }
    places.push_back(best);
  }
  return places;
}

}  // namespace actforge
