#pragma once

#include <string>
#include <vector>

#include "actforge/data/source/parts.h"

namespace actforge {

// A file of separated values.
struct TableText {
  SplitPart part = SplitPart::kTrain;
  std::string origin = {};
  std::string text = {};
};

// Numbers stay as they are, so that training can standardise them by its own rows; a missing one is NaN. Of other
// columns each category of the training part is an indicator, 0 or 1. Throws Error (kBadInput) with the file and the
// line, kUsage for options that do not fit the table.
SourceData source_of_tables(const std::vector<TableText>& texts, const SourceOptions& options);

}  // namespace actforge
