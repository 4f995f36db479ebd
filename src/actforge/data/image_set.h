#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace actforge {

struct ImageShape {
  int channels = 1;
  int height = 1;
  int width = 1;
  bool operator==(const ImageShape&) const = default;

  std::size_t size() const {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  }
};

// Labelled images as they are stored: one byte per value, each image row by row with its channels side by side, so that
// a batch of them is in NHWC order.
struct ImageSet {
  ImageShape shape;
  int max_value = 255;  // of the brightest pixel
  int classes = 1;
  std::vector<std::uint8_t> pixels;  // size() * shape.size()
  std::vector<int> labels;           // each from 0 to classes-1

  std::size_t size() const { return labels.size(); }
  std::span<const std::uint8_t> image(std::size_t index) const {
    return std::span(pixels).subspan(index * shape.size(), shape.size());
  }
};

}  // namespace actforge
