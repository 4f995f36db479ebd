#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/data/image_set.h"

namespace actforge {

enum class Normalise {
  kNone,      // pixels from 0 to 1
  kCenter,    // then the mean of their channel is subtracted: Keras' featurewise_center
  kStandard,  // then they are divided by its standard deviation: and featurewise_std_normalization
};

// "none", "center", "standard". Throws Error (kUsage) for any other name.
Normalise find_normalise(std::string_view name);
std::string_view normalise_name(Normalise mode);

// Mean and standard deviation of each channel over all its pixels in the chosen images, where the brightest pixel is 1.
// Missing numbers do not count.
struct ChannelStats {
  std::vector<double> mean;
  std::vector<double> deviation;
};
ChannelStats channel_stats(const ImageSet& set, std::span<const std::uint32_t> images);

// A byte of channel c becomes (byte / max_value - shift[c]) / scale[c]; a missing number is taken for fill[c].
struct Normalisation {
  int max_value = 255;
  std::vector<double> shift;
  std::vector<double> scale;
  std::vector<double> fill = {};  // the mean of the channel; only for numbers that are not bytes
};

// To be made from the training images alone, and applied to all. A channel that never changes is not scaled.
Normalisation make_normalisation(Normalise mode, const ImageSet& set, std::span<const std::uint32_t> training_images);

}  // namespace actforge
