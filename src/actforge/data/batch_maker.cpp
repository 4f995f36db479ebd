#include "actforge/data/batch_maker.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

using Table = std::array<float, 256>;

// Known when compiled, the number of channels leaves one load, one look into a table and one store per value.
template <std::size_t kChannels>
void look_up(const std::uint8_t* from, std::size_t count, const Table* tables, float* target) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < kChannels; ++c) target[i * kChannels + c] = tables[c][from[i * kChannels + c]];
  }
}

template <std::size_t kChannels>
void look_up_flipped(const std::uint8_t* from, std::size_t count, const Table* tables, float* target) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* pixel = from + (count - 1 - i) * kChannels;
    for (std::size_t c = 0; c < kChannels; ++c) target[i * kChannels + c] = tables[c][pixel[c]];
  }
}

void look_up_any(const std::uint8_t* from, std::size_t count, bool flipped, std::span<const Table> tables,
                 float* target) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* pixel = from + (flipped ? count - 1 - i : i) * tables.size();
    for (std::size_t c = 0; c < tables.size(); ++c) target[i * tables.size() + c] = tables[c][pixel[c]];
  }
}

void check(const ImageSet& set, const Normalisation& normalisation, const Augmentation& augmentation) {
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  if (normalisation.shift.size() != channels || normalisation.scale.size() != channels) {
    throw Error(ErrorCode::kBadInput, "the normalisation is for another number of channels");
  }
  if (set.has_values() && normalisation.fill.size() != channels) {
    throw Error(ErrorCode::kBadInput, "the normalisation does not say what missing numbers are");
  }
  const int most = std::min(set.shape.height, set.shape.width) - 1;  // a crop shows something of the image
  if (augmentation.pad < 0 || augmentation.pad > most) {
    throw Error(ErrorCode::kBadInput, "images of " + std::to_string(set.shape.height) + " by " +
                                          std::to_string(set.shape.width) + " are padded with 0 to " +
                                          std::to_string(most) + " pixels, not " + std::to_string(augmentation.pad));
  }
}

}  // namespace

BatchMaker::BatchMaker(const ImageSet& set, const Normalisation& normalisation, const Augmentation& augmentation)
    : set_(set), augmentation_(augmentation), normalisation_(normalisation) {
  check(set, normalisation, augmentation);
  if (set.has_values()) return;
  for (std::size_t channel = 0; channel < normalisation.shift.size(); ++channel) {
    Table& table = tables_.emplace_back();
    for (int byte = 0; byte < 256; ++byte) {
      const double scaled = static_cast<double>(byte) / normalisation.max_value;
      table[static_cast<std::size_t>(byte)] =
          static_cast<float>((scaled - normalisation.shift[channel]) / normalisation.scale[channel]);
    }
  }
}

void BatchMaker::make(std::span<const std::uint32_t> images, std::size_t first_position, std::uint64_t epoch_seed,
                      Batch& batch) const {
  const std::size_t size = set_.shape.size();
  batch.pixels.resize(images.size() * size);
  batch.labels.resize(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    batch.labels[i] = set_.labels[images[i]];
    const Crop placement = draw(epoch_seed, first_position + i);
    float* target = batch.pixels.data() + i * size;
    if (set_.has_values()) {
      write_image(set_.numbers(images[i]), placement, target);
    } else {
      write_image(set_.image(images[i]), placement, target);
    }
  }
}

Crop BatchMaker::draw(std::uint64_t epoch_seed, std::size_t position) const {
  if (!augmentation_.flip && augmentation_.pad == 0) return {};
  Random random(epoch_seed, position, "augment");
  const std::uint64_t places = 2 * static_cast<std::uint64_t>(augmentation_.pad) + 1;
  Crop placement;
  placement.flipped = augmentation_.flip && random.below(2) == 1;
  placement.down = static_cast<int>(random.below(places));
  placement.right = static_cast<int>(random.below(places));
  return placement;
}

// Zeros come after normalisation, as He et al. (2016) pad images after subtracting the mean: they are pixels of
// average brightness, and a crop leaves the mean of the input at zero.
template <class Value>
void BatchMaker::write_image(std::span<const Value> image, const Crop& placement, float* target) const {
  const int pad = augmentation_.pad, height = set_.shape.height, width = set_.shape.width;
  if (pad == 0 && !placement.flipped) return write_pixels(image.data(), height * width, false, target);
  const int channels = set_.shape.channels;
  // Columns of the crop before the image begins and after it ends; at most one of them is not zero.
  int before = std::max(0, pad - placement.right), after = std::max(0, placement.right - pad);
  const int seen = width - before - after;
  const int first_column = after;  // of the image that is seen
  if (placement.flipped) std::swap(before, after);
  for (int y = 0; y < height; ++y, target += width * channels) {
    const int row = y + placement.down - pad;
    if (row < 0 || row >= height) {
      std::fill_n(target, width * channels, 0.0f);
      continue;
    }
    std::fill_n(target, before * channels, 0.0f);
    write_pixels(image.data() + (row * width + first_column) * channels, seen, placement.flipped,
                 target + before * channels);
    std::fill_n(target + (before + seen) * channels, after * channels, 0.0f);
  }
}

void BatchMaker::write_pixels(const std::uint8_t* from, int count, bool flipped, float* target) const {
  const auto pixels = static_cast<std::size_t>(count);
  if (tables_.size() == 1) return (flipped ? look_up_flipped<1> : look_up<1>)(from, pixels, tables_.data(), target);
  if (tables_.size() == 3) return (flipped ? look_up_flipped<3> : look_up<3>)(from, pixels, tables_.data(), target);
  look_up_any(from, pixels, flipped, tables_, target);
}

void BatchMaker::write_pixels(const float* from, int count, bool flipped, float* target) const {
  const std::size_t channels = normalisation_.shift.size(), pixels = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < pixels; ++i) {
    const float* pixel = from + (flipped ? pixels - 1 - i : i) * channels;
    for (std::size_t c = 0; c < channels; ++c) {
      const double value = std::isnan(pixel[c]) ? normalisation_.fill[c] : static_cast<double>(pixel[c]);
      target[i * channels + c] = static_cast<float>((value - normalisation_.shift[c]) / normalisation_.scale[c]);
    }
  }
}

}  // namespace actforge
