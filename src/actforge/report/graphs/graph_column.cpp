#include "actforge/report/graphs/graph_column.h"

#include <algorithm>

namespace actforge {
namespace {

// Which lane, counted from 0, has these rows free; takes them.
class LaneKeeper {
 public:
  int take(int first, int last) {
    std::size_t lane = 0;
    const auto overlaps = [&](const std::pair<int, int>& taken) {
      return first <= taken.second && taken.first <= last;
    };
    while (lane < lanes_.size() && std::any_of(lanes_[lane].begin(), lanes_[lane].end(), overlaps)) ++lane;
    if (lane == lanes_.size()) lanes_.emplace_back();
    lanes_[lane].emplace_back(first, last);
    return static_cast<int>(lane);
  }
  int count() const { return static_cast<int>(lanes_.size()); }

 private:
  std::vector<std::vector<std::pair<int, int>>> lanes_;
};

}  // namespace

ColumnLayout::ColumnLayout(const GraphChains& graph, std::size_t begin, std::size_t end)
    : graph_(graph), begin_(begin), end_(end) {
  column_.rows = rows();
  find_sources();
  give_lanes_to_chains();
  give_tracks();
  for (const Source& source : sources_) connect(source);
}

void ColumnLayout::find_sources() {
  for (std::size_t node = 0; node < graph_.level.size(); ++node) {
    const bool from_above = graph_.level[node] < begin_ && graph_.last_use[node] >= begin_;
    if (!from_above && !is_here(node)) continue;
    const std::size_t next = graph_.successor[node];
    sources_.push_back(
        {.node = node,
         .row = from_above ? -1 : row_of(node),
         .last_row = std::min(static_cast<int>(graph_.last_use[node]) - static_cast<int>(begin_), rows()),
         .keeps_lane = next != kNoNode && is_here(next)});
  }
}

// The part of each chain that is here takes the rows from its first node, or from the top where it comes from above, to
// the last row that its last node passes.
void ColumnLayout::give_lanes_to_chains() {
  std::map<std::size_t, Span> spans;
  for (const Source& source : sources_) {
    if (source.row < 0 && !source.keeps_lane) continue;
    const std::size_t chain = graph_.chain[source.node];
    const int first = std::max(source.row, 0);
    const int last = source.keeps_lane ? first : std::max(first, source.last_row - 1);
    const auto [span, is_new] = spans.try_emplace(chain, Span{first, last, chain});
    span->second.first = std::min(span->second.first, first);
    span->second.last = std::max(span->second.last, last);
  }
  std::vector<Span> ordered;
  for (const auto& [chain, span] : spans) {
    if (chain != 0) ordered.push_back(span);
  }
  std::sort(ordered.begin(), ordered.end(),
            [](const Span& a, const Span& b) { return std::pair(a.first, a.owner) < std::pair(b.first, b.owner); });
  LaneKeeper keeper;
  for (const Span& span : ordered) lane_of_chain_[span.owner] = 1 + keeper.take(span.first, span.last);
  column_.main_lanes = 1 + keeper.count();
}

// Shorter lines stay nearer to the boxes.
void ColumnLayout::give_tracks() {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    Source& source = sources_[i];
    const bool has_lane = source.row >= 0 || source.keeps_lane;
    const auto lane = lane_of_chain_.find(graph_.chain[source.node]);
    if (has_lane && lane != lane_of_chain_.end()) source.home.number = lane->second;
    source.track = source.home;
    // The row of the next node in the lane is reached straight; what else it reaches needs a track.
    int last = -1;
    for (const std::size_t user : graph_.users[source.node]) {
      if (source.keeps_lane && user == graph_.successor[source.node]) continue;
      last = std::max(last, std::min(static_cast<int>(graph_.level[user]) - static_cast<int>(begin_), rows()));
    }
    if (has_lane && (!source.keeps_lane || last <= source.row + 1)) continue;
    spans.push_back({source.row + 1, std::max(source.row + 1, last - 1), i});
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const Span& a, const Span& b) { return a.last - a.first < b.last - b.first; });
  LaneKeeper left, right;
  for (const Span& span : spans) {
    Source& source = sources_[span.owner];
    const bool of_trunk = graph_.chain[source.node] == 0;
    source.track.side = of_trunk ? GraphLane::Side::kLeft : GraphLane::Side::kRight;
    source.track.number = (of_trunk ? left : right).take(span.first, span.last);
    if (source.row < 0 && !source.keeps_lane) source.home = source.track;
  }
  column_.left_tracks = left.count();
  column_.right_tracks = right.count();
  for (const Source& source : sources_) {
    if (source.row < 0) entries_[source.node] = source.home;
    if (source.row >= 0) places_[source.node] = {source.row, source.home};
    if (source.last_row >= rows()) exits_[source.node] = source.track;
  }
}

void ColumnLayout::connect(const Source& source) {
  for (const std::size_t user : graph_.users[source.node]) {
    if (!is_here(user)) continue;
    const bool straight = source.keeps_lane && user == graph_.successor[source.node];
    column_.wires.push_back({.from = source.home,
                             .from_row = source.row,
                             .track = straight ? source.home : source.track,
                             .to = places_.at(user).lane,
                             .to_row = row_of(user)});
  }
  if (source.last_row >= rows()) {
    column_.wires.push_back(
        {.from = source.home, .from_row = source.row, .track = source.track, .to = source.track, .to_row = rows()});
  }
}

}  // namespace actforge
