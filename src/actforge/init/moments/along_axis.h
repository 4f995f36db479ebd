#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "actforge/net/graph/shape.h"

namespace actforge {

// Replaces extent `axis` of an array by `places` numbers, each made of the old ones of its line.
//   make(place, line, stride) -> the new number
template <class Number, class Make>
std::vector<Number> along_axis(const std::vector<Number>& numbers, const Shape& extents, std::size_t axis,
                               std::int64_t places, const Make& make) {
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  std::size_t outer = 1, inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= size(extents[i]);
  for (std::size_t i = axis + 1; i < extents.size(); ++i) inner *= size(extents[i]);
  std::vector<Number> result(outer * size(places) * inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::int64_t place = 0; place < places; ++place) {
      for (std::size_t i = 0; i < inner; ++i) {
        result[(o * size(places) + size(place)) * inner + i] =
            make(place, numbers.data() + o * size(extents[axis]) * inner + i, inner);
      }
    }
  }
  return result;
}

}  // namespace actforge
