#include "actforge/net/graph/shape.h"

#include <charconv>

#include "actforge/base/error.h"

namespace actforge {

std::string shape_text(const Shape& shape) {
  if (shape.empty()) return "1";
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

Shape parse_shape(std::string_view text) {
  Shape shape;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (stop != end && *stop != 'x') || shape.size() == kMaxRank) {
      throw Error(ErrorCode::kBadInput, "expected up to " + std::to_string(kMaxRank) +
                                            " whole numbers joined by 'x', such as 3x32x32, not '" + std::string(text) +
                                            "'");
    }
    shape.push_back(value);
    if (stop == end) return shape;
    at = stop + 1;
  }
}

std::int64_t element_count(const Shape& shape) {
  if (shape.size() > kMaxRank) {
    throw Error(ErrorCode::kBadInput,
                "the shape " + shape_text(shape) + " has more than " + std::to_string(kMaxRank) + " extents");
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent <= 0) {
      throw Error(ErrorCode::kBadInput, "the shape " + shape_text(shape) + " has an extent that is not positive");
    }
    if (extent > kMaxElements / count) {
      throw Error(ErrorCode::kBadInput, "the shape " + shape_text(shape) + " is too large");
    }
    count *= extent;
  }
  return count;
}

}  // namespace actforge
