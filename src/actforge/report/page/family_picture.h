#pragma once

#include <string>
#include <vector>

#include "actforge/report/page/study_page.h"

namespace actforge {

// The winner's family: one row per trial, the oldest at the top, with lines from parents to children.
struct FamilyPictureOptions {
  double width = 1000;
  std::size_t rows_per_piece = 0;  // pictures of so many rows, to be stacked, so that paper can break between; 0: one
};

std::vector<std::string> family_pictures(const std::vector<PageAncestor>& family, FamilyPictureOptions options = {});

}  // namespace actforge
