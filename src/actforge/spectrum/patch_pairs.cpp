#include "actforge/spectrum/patch_pairs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace actforge {
namespace {

// A tap along one extent: at the place t of the window it reads x = stride t + dilation a - zeros before, which is
// stride (t + offset) + phase, with 0 <= phase < stride.
struct Tap {
  std::int64_t phase = 0;
  std::int64_t offset = 0;
};

Tap tap_along(const Window& window, std::size_t axis, std::int64_t a) {
  const std::int64_t at = window.dilation[axis] * a - window.before[axis], stride = window.stride[axis];
  const std::int64_t phase = ((at % stride) + stride) % stride;
  return {.phase = phase, .offset = (at - phase) / stride};
}

// Two taps along one extent. The pair is wanted for the places begin .. end-1 of the first tap's part; both taps are
// inside the input for first .. last-1.
struct AxisPair {
  std::int64_t phase_a = 0, phase_b = 0, shift = 0;
  std::int64_t begin = 0, end = 0;
  std::int64_t first = 0, last = 0;
};

AxisPair axis_pair(const Tap& a, const Tap& b, std::int64_t stride, std::int64_t extent, std::int64_t places) {
  const auto count = [&](std::int64_t phase) { return phase < extent ? (extent - phase + stride - 1) / stride : 0; };
  AxisPair pair = {.phase_a = a.phase, .phase_b = b.phase, .shift = b.offset - a.offset};
  pair.first = std::max(std::int64_t{0}, -pair.shift);
  pair.last = std::max(pair.first, std::min(count(a.phase), count(b.phase) - pair.shift));
  pair.begin = std::clamp(a.offset, pair.first, pair.last);
  pair.end = std::clamp(a.offset + places, pair.begin, pair.last);
  return pair;
}

// What pairs of one group have in common.
using GroupKey = std::vector<std::int64_t>;

struct OpenGroup {
  std::vector<std::pair<std::size_t, std::size_t>> taps;
  std::vector<std::vector<AxisPair>> axes;  // of each pair
};

bool covers(const std::vector<AxisPair>& axes, const std::vector<std::int64_t>& begin) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (begin[i] < axes[i].begin || begin[i] >= axes[i].end) return false;
  }
  return true;
}

// Where to cut along one extent: wherever a range begins or ends.
std::vector<std::int64_t> cuts_along(const OpenGroup& open, std::size_t axis) {
  std::set<std::int64_t> cuts = {open.axes[0][axis].first, open.axes[0][axis].last};
  for (const std::vector<AxisPair>& axes : open.axes) cuts.insert({axes[axis].begin, axes[axis].end});
  return {cuts.begin(), cuts.end()};
}

std::vector<PatchCell> cut_into_cells(const OpenGroup& open, std::size_t extents) {
  std::vector<std::vector<std::int64_t>> cuts(extents);
  for (std::size_t i = 0; i < extents; ++i) {
    cuts[i] = cuts_along(open, i);
    if (cuts[i].size() == 1) return {};  // the taps are never inside together
  }
  std::vector<PatchCell> cells;
  std::vector<std::size_t> at(extents, 0);  // counts through all boxes
  for (;;) {
    PatchCell cell;
    for (std::size_t i = 0; i < extents; ++i) {
      cell.begin.push_back(cuts[i][at[i]]);
      cell.count.push_back(cuts[i][at[i] + 1] - cuts[i][at[i]]);
    }
    for (std::size_t p = 0; p < open.axes.size(); ++p) {
      if (covers(open.axes[p], cell.begin)) cell.pairs.push_back(p);
    }
    cells.push_back(std::move(cell));
    std::size_t axis = extents;
    while (axis > 0 && at[axis - 1] + 2 == cuts[axis - 1].size()) at[--axis] = 0;
    if (axis == 0) return cells;
    ++at[axis - 1];
  }
}

PatchGroup close(const OpenGroup& open, std::size_t extents) {
  PatchGroup group = {.phase_a = {}, .phase_b = {}, .shift = {}, .pairs = open.taps, .cells = {}};
  for (const AxisPair& axis : open.axes[0]) {
    group.phase_a.push_back(axis.phase_a);
    group.phase_b.push_back(axis.phase_b);
    group.shift.push_back(axis.shift);
  }
  group.cells = cut_into_cells(open, extents);
  return group;
}

// The place of each tap along each extent, row by row.
std::vector<std::vector<Tap>> all_taps(const Window& window) {
  std::int64_t count = 1;
  for (const std::int64_t size : window.size) count *= size;
  std::vector<std::vector<Tap>> taps;
  for (std::int64_t number = 0; number < count; ++number) {
    std::vector<Tap> tap(window.size.size());
    std::int64_t rest = number;
    for (std::size_t i = tap.size(); i-- > 0; rest /= window.size[i]) {
      tap[i] = tap_along(window, i, rest % window.size[i]);
    }
    taps.push_back(std::move(tap));
  }
  return taps;
}

}  // namespace

std::int64_t PatchCell::places() const {
  return std::accumulate(count.begin(), count.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<PatchGroup> patch_groups(const Window& window, const Shape& spatial) {
  const Shape places = spatial.empty() ? Shape{} : window_positions(window, spatial);
  const std::vector<std::vector<Tap>> taps = all_taps(window);
  std::map<GroupKey, OpenGroup> open;
  for (std::size_t a = 0; a < taps.size(); ++a) {
    for (std::size_t b = a; b < taps.size(); ++b) {
      GroupKey key;
      std::vector<AxisPair> axes;
      for (std::size_t i = 0; i < spatial.size(); ++i) {
        axes.push_back(axis_pair(taps[a][i], taps[b][i], window.stride[i], spatial[i], places[i]));
        key.insert(key.end(), {axes[i].phase_a, axes[i].phase_b, axes[i].shift});
      }
      OpenGroup& group = open[key];
      group.taps.emplace_back(a, b);
      group.axes.push_back(std::move(axes));
    }
  }
  std::vector<PatchGroup> groups;
  groups.reserve(open.size());
  for (const auto& [key, group] : open) groups.push_back(close(group, spatial.size()));
  return groups;
}

}  // namespace actforge
