#include "tools/actforge/data/sheet.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "actforge/report/plots/contact_sheet.h"

namespace actforge::tool {
namespace {

constexpr std::size_t kImagesPerClass = 16, kMostClasses = 100;

// Images as the sheet takes them.
class Painter {
 public:
  Painter(const ImageSet& set, std::span<const std::uint32_t> training) : set_(set) {
    const ImageShape& shape = set.shape;
    is_table_ = shape.height * shape.width == 1 && shape.channels > 4;
    side_ = is_table_ ? static_cast<int>(std::ceil(std::sqrt(shape.channels))) : 0;
    if (!set.has_values()) return;
    const auto channels = static_cast<std::size_t>(shape.channels);
    low_.assign(channels, std::numeric_limits<float>::infinity());
    high_.assign(channels, -std::numeric_limits<float>::infinity());
    for (const std::uint32_t image : training) {
      const auto numbers = set.numbers(image);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::isnan(numbers[i])) continue;
        low_[i % channels] = std::min(low_[i % channels], numbers[i]);
        high_[i % channels] = std::max(high_[i % channels], numbers[i]);
      }
    }
  }

  ContactSheet empty_sheet() const {
    const ImageShape& shape = set_.shape;
    return {.channels = channels(),
            .height = is_table_ ? side_ : shape.height,
            .width = is_table_ ? side_ : shape.width,
            .max_value = set_.has_values() ? 255 : set_.max_value,
            .rows = {}};
  }

  std::vector<std::uint8_t> paint(std::uint32_t image) const {
    const auto channels_there = static_cast<std::size_t>(set_.shape.channels), size = set_.shape.size();
    std::vector<std::uint8_t> pixels;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t channel = i % channels_there;
      if (!is_table_ && channel >= static_cast<std::size_t>(channels())) continue;
      pixels.push_back(set_.has_values() ? shade(set_.numbers(image)[i], channel) : set_.image(image)[i]);
    }
    if (is_table_) pixels.resize(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0);
    return pixels;
  }

 private:
  // Of images with four channels the first three, of those with two the first.
  int channels() const { return !is_table_ && set_.shape.channels >= 3 ? 3 : 1; }

  std::uint8_t shade(float value, std::size_t channel) const {
    const float low = low_[channel], high = high_[channel];
    if (std::isnan(value) || !(high > low)) return 127;
    return static_cast<std::uint8_t>(std::clamp(255 * (value - low) / (high - low), 0.0f, 255.0f));
  }

  const ImageSet& set_;
  bool is_table_ = false;
  int side_ = 0;
  std::vector<float> low_, high_;
};

}  // namespace

void write_data_sheet(const Dataset& row, const DatasetSummary& summary, const std::string& path) {
  const Painter painter(summary.images, summary.split.train);
  ContactSheet sheet = painter.empty_sheet();
  std::deque<std::vector<std::uint8_t>> painted;
  for (std::size_t c = 0; c < std::min(summary.train.size(), kMostClasses); ++c) {
    sheet.rows.push_back({std::string(row.class_names[c]), {}});
    for (const std::uint32_t image : summary.train[c]) {
      if (sheet.rows[c].images.size() == kImagesPerClass) break;
      sheet.rows[c].images.emplace_back(painted.emplace_back(painter.paint(image)));
    }
  }
  write_contact_sheet(sheet, path);
}

}  // namespace actforge::tool
