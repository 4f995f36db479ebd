#pragma once

#include <string>

#include "actforge/data/dataset_summary.h"

namespace actforge::tool {

// A PNG file with a row of training images for each class. Numbers that are not bytes are shown from the smallest to
// the largest of their channel, the rows of a table as squares with a pixel for each feature.
void write_data_sheet(const Dataset& row, const DatasetSummary& summary, const std::string& path);

}  // namespace actforge::tool
