#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// The extents of one sample, without the batch: {3,32,32} is an image of three channels, channels first.
using Shape = std::vector<std::int64_t>;

inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 33;  // of one tensor
inline constexpr std::size_t kMaxRank = 8;

// "3x32x32"; the empty shape is "1".
std::string shape_text(const Shape& shape);
// Whole numbers joined by 'x', as in "3x32x32" or "-1x64". Throws Error (kBadInput).
Shape parse_shape(std::string_view text);

// The product of the extents. Throws Error (kBadInput) where one is not positive, the product passes kMaxElements, or
// there are more than kMaxRank.
std::int64_t element_count(const Shape& shape);

// What an edge of a network carries.
struct Signal {
  Shape shape = {};
  std::size_t channel_axis = 0;  // which extent counts the channels: 0 for images, the last one for tokens
  bool indices = false;          // whole numbers that name rows of an embedding, not values

  std::int64_t channels() const { return shape.empty() ? 1 : shape[channel_axis]; }
  bool operator==(const Signal&) const = default;
};

}  // namespace actforge
