#pragma once

#include <cstdint>
#include <vector>

namespace actforge {

struct Batch {
  std::vector<float> pixels;         // image by image, each row by row with its channels side by side: NHWC
  std::vector<std::int64_t> labels;  // one per image

  std::size_t size() const { return labels.size(); }
};

}  // namespace actforge
