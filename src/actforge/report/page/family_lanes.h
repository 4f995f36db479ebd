#pragma once

#include <cstddef>
#include <vector>

#include "actforge/report/page/study_page.h"

namespace actforge {

// Where the lines of a family tree run: one row per trial, oldest first, and lanes from left to right, as in the graph
// that version control draws.
struct FamilyRow {
  std::size_t lane = 0;                   // of the dot
  bool has_child = false;                 // a line leaves the dot downwards
  std::vector<std::size_t> passing = {};  // lanes of lines that pass the dot from above to below
  std::vector<std::size_t> parents = {};  // lanes in which the lines to its parents leave the row upwards
};

struct FamilyLanes {
  std::vector<FamilyRow> rows = {};  // as the family
  std::size_t lanes = 0;
};

// Parents that are not further up in the list are left out.
FamilyLanes lanes_of(const std::vector<PageAncestor>& family);

}  // namespace actforge
