#include "actforge/data/cifar_binary.h"

#include "actforge/base/error.h"

namespace actforge {
namespace {

void append_interleaved(std::span<const std::uint8_t> planes, std::size_t channels, std::vector<std::uint8_t>& pixels) {
  const std::size_t area = planes.size() / channels, start = pixels.size();
  pixels.resize(start + planes.size());
  std::uint8_t* to = pixels.data() + start;
  for (std::size_t i = 0; i < area; ++i) {
    for (std::size_t channel = 0; channel < channels; ++channel) *to++ = planes[channel * area + i];
  }
}

}  // namespace

void append_cifar(std::span<const std::uint8_t> file, const CifarExpected& expected, const std::string& origin,
                  ImageSet& set) {
  const std::size_t record = expected.labels + set.shape.size(), count = expected.count;
  if (file.size() != count * record) {
    throw Error(ErrorCode::kBadInput, origin + ": " + std::to_string(file.size()) + " bytes long, not " +
                                          std::to_string(count * record) + " as " + std::to_string(count) +
                                          " images need");
  }
  set.labels.reserve(set.labels.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::uint8_t> image = file.subspan(i * record, record);
    const int label = image[expected.label];
    if (label >= set.classes) {
      throw Error(ErrorCode::kBadInput, origin + ": label " + std::to_string(i) + " is " + std::to_string(label) +
                                            "; the largest is " + std::to_string(set.classes - 1));
    }
    set.labels.push_back(label);
    append_interleaved(image.subspan(expected.labels), static_cast<std::size_t>(set.shape.channels), set.pixels);
  }
}

}  // namespace actforge
