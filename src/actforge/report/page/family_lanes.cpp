#include "actforge/report/page/family_lanes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace actforge {
namespace {

// Goes through the family from the youngest to the oldest. A lane leads to one trial further up, or is free; all lines
// to a trial share a lane, so its dot, in that lane, closes it.
class LaneKeeper {
 public:
  explicit LaneKeeper(const std::vector<PageAncestor>& family) : family_(family) {
    for (std::size_t i = 0; i < family.size(); ++i) row_of_.emplace(family[i].number, i);
  }

  FamilyLanes assign() {
    FamilyLanes result{.rows = std::vector<FamilyRow>(family_.size())};
    for (std::size_t i = family_.size(); i-- > 0;) {
      FamilyRow& row = result.rows[i];
      const std::optional<std::size_t> lane = lane_to(i);
      row.has_child = lane.has_value();
      row.lane = lane ? *lane : free_lane();
      result.lanes = std::max(result.lanes, row.lane + 1);
      goals_[row.lane].reset();
      for (std::size_t k = 0; k < goals_.size(); ++k) {
        if (goals_[k]) row.passing.push_back(k);
      }
      for (const std::size_t parent : rows_of_parents(i)) row.parents.push_back(lane_towards(parent, row.lane));
      result.lanes = std::max(result.lanes, goals_.size());
    }
    return result;
  }

 private:
  std::vector<std::size_t> rows_of_parents(std::size_t child) const {
    std::vector<std::size_t> rows;
    for (const std::int64_t number : family_[child].parents) {
      const auto it = row_of_.find(number);
      if (it == row_of_.end() || it->second >= child) continue;
      if (std::find(rows.begin(), rows.end(), it->second) == rows.end()) rows.push_back(it->second);
    }
    return rows;
  }

  std::optional<std::size_t> lane_to(std::size_t row) const {
    for (std::size_t k = 0; k < goals_.size(); ++k) {
      if (goals_[k] == row) return k;
    }
    return std::nullopt;
  }

  std::size_t free_lane() {
    for (std::size_t k = 0; k < goals_.size(); ++k) {
      if (!goals_[k]) return k;
    }
    goals_.emplace_back();
    return goals_.size() - 1;
  }

  // The first parent that has no lane yet goes straight on in its child's.
  std::size_t lane_towards(std::size_t parent, std::size_t childs_lane) {
    if (const auto known = lane_to(parent)) return *known;
    const std::size_t lane = goals_[childs_lane] ? free_lane() : childs_lane;
    goals_[lane] = parent;
    return lane;
  }

  const std::vector<PageAncestor>& family_;
  std::map<std::int64_t, std::size_t> row_of_;
  std::vector<std::optional<std::size_t>> goals_;  // the row to which each lane leads
};

}  // namespace

FamilyLanes lanes_of(const std::vector<PageAncestor>& family) { return LaneKeeper(family).assign(); }

}  // namespace actforge
