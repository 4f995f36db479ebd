#pragma once

#include <cstdint>
#include <vector>

#include "actforge/data/dataset.h"
#include "actforge/data/normalisation.h"
#include "actforge/data/split.h"

namespace actforge {

// Images by their numbers, a list for each class; each list in the order of the images.
using ImagesByClass = std::vector<std::vector<std::uint32_t>>;
ImagesByClass images_by_class(const ImageSet& set, std::span<const std::uint32_t> images);

// The training part of a data set, how it is split, and what its training images are like. Test images are not loaded.
struct DatasetSummary {
  ImageSet images;
  Split split;
  ImagesByClass train, validation;
  ChannelStats stats;  // of the training images
};

// Throws Error where files are missing or there are too few images.
DatasetSummary summarise(const Dataset& row, const TrainingSplit& wanted);

}  // namespace actforge
