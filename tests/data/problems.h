#pragma once

#include <numeric>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/data/image_set.h"

namespace actforge {

// Images of noise in four classes.
inline ImageSet random_images(const ImageShape& shape, std::size_t count, int max_value) {
  ImageSet set{.shape = shape, .max_value = max_value, .classes = 4, .pixels = {}, .labels = {}};
  Random random(1, count, "random images");
  for (std::size_t i = 0; i < count * shape.size(); ++i) {
    set.pixels.push_back(static_cast<std::uint8_t>(random.below(static_cast<std::uint64_t>(max_value) + 1)));
  }
  for (std::size_t i = 0; i < count; ++i) set.labels.push_back(static_cast<int>(random.below(4)));
  return set;
}

inline std::vector<std::uint32_t> all_of(const ImageSet& set) {
  std::vector<std::uint32_t> images(set.size());
  std::iota(images.begin(), images.end(), 0u);
  return images;
}

}  // namespace actforge
