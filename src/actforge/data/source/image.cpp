#include "actforge/data/source/image.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// What one pixel of the result is made of: weights of consecutive pixels of the source.
struct Taps {
  int first = 0;
  std::vector<float> weights = {};
};

// The triangle filter, as wide as a pixel of the result, at least two pixels of the source: bilinear interpolation, and
// without aliasing where the image becomes smaller. The same as Pillow's Image.BILINEAR.
std::vector<Taps> make_taps(int from, int to, double begin, double end) {
  const double step = (end - begin) / to, support = std::max(1.0, step);
  std::vector<Taps> taps(static_cast<std::size_t>(to));
  for (int i = 0; i < to; ++i) {
    const double center = begin + (i + 0.5) * step;
    Taps& tap = taps[static_cast<std::size_t>(i)];
    tap.first = std::max(0, static_cast<int>(std::lround(center - support)));
    const int last = std::min(from, static_cast<int>(std::lround(center + support)));
    double sum = 0;
    for (int x = tap.first; x < last; ++x) {
      const double weight = std::max(0.0, 1 - std::fabs((x - center + 0.5) / support));
      tap.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : tap.weights) weight = static_cast<float>(weight / sum);
  }
  return taps;
}

std::uint8_t to_byte(float value) { return static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f)); }

Image resize_columns(const Image& image, const std::vector<Taps>& taps) {
  const auto channels = static_cast<std::size_t>(image.channels), height = static_cast<std::size_t>(image.height);
  Image result = {image.height, static_cast<int>(taps.size()), image.channels, {}};
  result.pixels.resize(height * taps.size() * channels);
  std::uint8_t* to = result.pixels.data();
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t* row = image.pixels.data() + y * static_cast<std::size_t>(image.width) * channels;
    for (const Taps& tap : taps) {
      for (std::size_t c = 0; c < channels; ++c) {
        const std::uint8_t* from = row + static_cast<std::size_t>(tap.first) * channels + c;
        float sum = 0;
        for (std::size_t i = 0; i < tap.weights.size(); ++i) sum += tap.weights[i] * from[i * channels];
        *to++ = to_byte(sum);
      }
    }
  }
  return result;
}

Image resize_rows(const Image& image, const std::vector<Taps>& taps) {
  const auto row = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
  Image result = {static_cast<int>(taps.size()), image.width, image.channels, {}};
  result.pixels.resize(taps.size() * row);
  std::vector<float> sums(row);
  std::uint8_t* to = result.pixels.data();
  for (const Taps& tap : taps) {
    std::ranges::fill(sums, 0.0f);
    for (std::size_t i = 0; i < tap.weights.size(); ++i) {
      const std::uint8_t* from = image.pixels.data() + (static_cast<std::size_t>(tap.first) + i) * row;
      for (std::size_t x = 0; x < row; ++x) sums[x] += tap.weights[i] * from[x];
    }
    for (const float sum : sums) *to++ = to_byte(sum);
  }
  return result;
}

}  // namespace

ImageKind image_kind(std::string_view file) {
  if (file.starts_with("\x89PNG\r\n\x1a\n")) return ImageKind::kPng;
  if (file.starts_with("\xff\xd8\xff")) return ImageKind::kJpeg;
  return ImageKind::kOther;
}

Image decode_image(std::string_view file, const std::string& origin) {
  switch (image_kind(file)) {
    case ImageKind::kPng: return decode_png(file, origin);
    case ImageKind::kJpeg: return decode_jpeg(file, origin);
    case ImageKind::kOther: break;
  }
  throw Error(ErrorCode::kBadInput, origin + ": its content is neither PNG nor JPEG");
}

Image resize_image(const Image& image, int height, int width, bool crop) {
  if (image.height == height && image.width == width) return image;
  double box_height = image.height, box_width = image.width;
  if (crop) {
    const double scale = std::min(box_height / height, box_width / width);
    box_height = height * scale;
    box_width = width * scale;
  }
  const double top = (image.height - box_height) / 2, left = (image.width - box_width) / 2;
  const Image narrow = resize_columns(image, make_taps(image.width, width, left, left + box_width));
  return resize_rows(narrow, make_taps(image.height, height, top, top + box_height));
}

Image with_channels(const Image& image, int channels) {
  if (image.channels == channels) return image;
  Image result = {image.height, image.width, channels, {}};
  if (channels == 3) {
    result.pixels.reserve(3 * image.pixels.size());
    for (const std::uint8_t value : image.pixels) result.pixels.insert(result.pixels.end(), 3, value);
    return result;
  }
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    // 0.299, 0.587 and 0.114 in units of 2^-16, rounded.
    const std::uint32_t sum = 19595u * image.pixels[i] + 38470u * image.pixels[i + 1] + 7471u * image.pixels[i + 2];
    result.pixels.push_back(static_cast<std::uint8_t>((sum + 0x8000u) >> 16));
  }
  return result;
}

}  // namespace actforge
