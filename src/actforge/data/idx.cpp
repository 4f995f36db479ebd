#include "actforge/data/idx.h"

#include <array>
#include <span>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// "Two zero bytes, 8 for unsigned bytes, the number of dimensions", then the dimensions, big-endian.
constexpr std::uint32_t kMagic = 0x0800;

[[noreturn]] void fail(const std::string& origin, const std::string& why) {
  throw Error(ErrorCode::kBadInput, origin + ": " + why);
}

std::uint32_t word_at(const std::vector<std::uint8_t>& file, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8 | file[at + i];
  return word;
}

struct Dimension {
  const char* what;
  std::size_t expected;
};

// Gives the size of the header.
std::size_t check_header(const std::vector<std::uint8_t>& file, std::span<const Dimension> dimensions,
                         const std::string& origin) {
  const std::size_t header = 4 + 4 * dimensions.size();
  if (file.size() < header) fail(origin, "ends within the header of an IDX file");
  if (word_at(file, 0) != (kMagic | dimensions.size())) {
    fail(origin, "not an IDX file of bytes with " + std::to_string(dimensions.size()) + " dimension(s)");
  }
  std::size_t body = 1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::uint32_t found = word_at(file, 4 + 4 * i);
    if (found != dimensions[i].expected) {
      fail(origin, "says " + std::to_string(found) + " " + dimensions[i].what + ", not " +
                       std::to_string(dimensions[i].expected));
    }
    body *= dimensions[i].expected;
  }
  if (file.size() != header + body) {
    fail(origin, std::to_string(file.size()) + " bytes long, not " + std::to_string(header + body));
  }
  return header;
}

}  // namespace

IdxExpected idx_images_header(const std::vector<std::uint8_t>& file, const std::string& origin) {
  constexpr std::size_t kHeader = 16;
  constexpr std::uint32_t kLargest = 1u << 14;
  if (file.size() < kHeader) fail(origin, "ends within the header of an IDX file");
  if (word_at(file, 0) != (kMagic | 3)) fail(origin, "not an IDX file of bytes with 3 dimension(s)");
  const std::uint32_t height = word_at(file, 8), width = word_at(file, 12);
  if (height == 0 || width == 0 || height > kLargest || width > kLargest) {
    fail(origin, "says " + std::to_string(height) + " rows and " + std::to_string(width) + " columns");
  }
  return {.count = word_at(file, 4), .height = static_cast<int>(height), .width = static_cast<int>(width)};
}

std::vector<std::uint8_t> parse_idx_images(std::vector<std::uint8_t> file, const IdxExpected& expected,
                                           const std::string& origin) {
  const std::array<Dimension, 3> dimensions{{{"images", expected.count},
                                             {"rows", static_cast<std::size_t>(expected.height)},
                                             {"columns", static_cast<std::size_t>(expected.width)}}};
  const std::size_t header = check_header(file, dimensions, origin);
  file.erase(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(header));
  return file;
}

std::vector<int> parse_idx_labels(const std::vector<std::uint8_t>& file, const IdxExpected& expected,
                                  const std::string& origin) {
  const std::array<Dimension, 1> dimensions{{{"labels", expected.count}}};
  const std::size_t header = check_header(file, dimensions, origin);
  std::vector<int> labels(file.begin() + static_cast<std::ptrdiff_t>(header), file.end());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= expected.classes) {
      fail(origin, "label " + std::to_string(i) + " is " + std::to_string(labels[i]) + "; the largest is " +
                       std::to_string(expected.classes - 1));
    }
  }
  return labels;
}

}  // namespace actforge
