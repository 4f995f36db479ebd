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
// a batch of them is in NHWC order. The rows of a table are images of one pixel, with a channel for each feature.
struct ImageSet {
  ImageShape shape;
  int max_value = 255;  // of the brightest pixel
  int classes = 1;
  std::vector<std::uint8_t> pixels;  // size() * shape.size()
  std::vector<int> labels;           // each from 0 to classes-1
  // In place of pixels, numbers that are not bytes, in the same order; NaN where one is missing. Their max_value is 1.
  std::vector<float> values = {};
  // For each channel whether normalisation leaves it alone: indicators of categories. Empty: none is left alone.
  std::vector<std::uint8_t> fixed = {};
  std::size_t held_out = 0;  // so many at the end are the validation part that the data came with

  bool has_values() const { return !values.empty(); }
  bool is_fixed(std::size_t channel) const { return channel < fixed.size() && fixed[channel] != 0; }
  std::size_t stored() const { return has_values() ? values.size() : pixels.size(); }
  std::size_t size() const { return labels.size(); }
  std::span<const std::uint8_t> image(std::size_t index) const {
    return std::span(pixels).subspan(index * shape.size(), shape.size());
  }
  std::span<const float> numbers(std::size_t index) const {
    return std::span(values).subspan(index * shape.size(), shape.size());
  }
};

}  // namespace actforge
