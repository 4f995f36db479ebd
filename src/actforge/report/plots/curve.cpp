#include "actforge/report/plots/curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace actforge {
namespace {

// Farther away than this many frames, only the direction of a point matters; it keeps the arithmetic finite.
constexpr double kFar = 1e6;

FramePoint in_frame(const PlotFrame& frame, double x, double y) {
  return {std::clamp(frame.x.fraction(x), -kFar, kFar), std::clamp(frame.y.fraction(y), -kFar, kFar)};
}

// Liang-Barsky: the part of the line from a to b inside of the rectangle, as the parameters of its two ends.
std::optional<std::pair<double, double>> inside(FramePoint a, FramePoint b, FrameMargin margin) {
  double first = 0;
  double last = 1;
  const auto keep = [&](double start, double change, double low, double high) {
    if (change == 0) return low <= start && start <= high;
    const double enter = (low - start) / change;
    const double leave = (high - start) / change;
    first = std::max(first, std::min(enter, leave));
    last = std::min(last, std::max(enter, leave));
    return first <= last;
  };
  if (!keep(a.u, b.u - a.u, -margin.u, 1 + margin.u)) return std::nullopt;
  if (!keep(a.v, b.v - a.v, -margin.v, 1 + margin.v)) return std::nullopt;
  return std::pair{first, last};
}

FramePoint between(FramePoint a, FramePoint b, double t) {
  if (t == 0) return a;
  if (t == 1) return b;
  return {a.u + t * (b.u - a.u), a.v + t * (b.v - a.v)};
}

// A pole lies between i and i + 1 of a run if the curve leaps over the whole frame there, from beyond one edge to
// beyond the other, against the way it goes just before and after. A steep but continuous curve leaps the way it goes;
// one that zigzags leaps again at once.
bool pole_after(const Polyline& run, std::size_t i) {
  if (i == 0 || i + 2 >= run.size()) return false;
  const auto leaps = [&](std::size_t k) {
    return std::min(run[k].v, run[k + 1].v) < 0 && std::max(run[k].v, run[k + 1].v) > 1;
  };
  const auto rise = [&](std::size_t k) { return run[k + 1].v - run[k].v; };
  return leaps(i) && !leaps(i - 1) && !leaps(i + 1) && rise(i - 1) * rise(i) < 0 && rise(i + 1) * rise(i) < 0;
}

// Splits a run of finite points at poles, and clips what is left.
void add_pieces(const Polyline& run, FrameMargin margin, std::vector<Polyline>& pieces) {
  if (run.size() == 1 && inside(run[0], run[0], margin)) pieces.push_back(run);
  bool joins = false;  // does the next line start where the last piece ends?
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    const auto part = pole_after(run, i) ? std::nullopt : inside(run[i], run[i + 1], margin);
    if (!part) {
      joins = false;
      continue;
    }
    if (!joins) pieces.push_back({between(run[i], run[i + 1], part->first)});
    pieces.back().push_back(between(run[i], run[i + 1], part->second));
    joins = part->second == 1;
  }
}

}  // namespace

std::vector<Polyline> visible_pieces(const Series& series, const PlotFrame& frame, FrameMargin margin) {
  std::vector<Polyline> pieces;
  Polyline run;
  for (std::size_t i = 0; i < series.y.size(); ++i) {
    if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
      run.push_back(in_frame(frame, series.x[i], series.y[i]));
      continue;
    }
    add_pieces(run, margin, pieces);
    run.clear();
  }
  add_pieces(run, margin, pieces);
  return pieces;
}

}  // namespace actforge
