#include "actforge/data/normalisation.h"

#include <array>
#include <cmath>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"none", "center", "standard"};

using Histogram = std::array<std::uint64_t, 256>;

std::vector<Histogram> count_values(const ImageSet& set, std::span<const std::uint32_t> images) {
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  std::vector<Histogram> histograms(channels, Histogram{});
  for (const std::uint32_t index : images) {
    const std::span<const std::uint8_t> image = set.image(index);
    for (std::size_t i = 0; i < image.size(); i += channels) {
      for (std::size_t channel = 0; channel < channels; ++channel) ++histograms[channel][image[i + channel]];
    }
  }
  return histograms;
}

}  // namespace

Normalise find_normalise(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Normalise>(i);
  }
  throw_unknown("normalisation", name, {kNames.begin(), kNames.end()});
}

std::string_view normalise_name(Normalise mode) { return kNames[static_cast<std::size_t>(mode)]; }

// Counting values first keeps the sums exact, and the deviations from the mean cannot cancel.
ChannelStats channel_stats(const ImageSet& set, std::span<const std::uint32_t> images) {
  if (images.empty()) throw Error(ErrorCode::kBadInput, "no images to take the mean of");
  ChannelStats stats;
  for (const Histogram& histogram : count_values(set, images)) {
    std::uint64_t count = 0, sum = 0;
    for (std::uint64_t value = 0; value < histogram.size(); ++value) {
      count += histogram[value];
      sum += value * histogram[value];
    }
    const double mean = static_cast<double>(sum) / static_cast<double>(count);
    double squares = 0;
    for (std::size_t value = 0; value < histogram.size(); ++value) {
      const double deviation = static_cast<double>(value) - mean;
      squares += static_cast<double>(histogram[value]) * deviation * deviation;
    }
    stats.mean.push_back(mean / set.max_value);
    stats.deviation.push_back(std::sqrt(squares / static_cast<double>(count)) / set.max_value);
  }
  return stats;
}

Normalisation make_normalisation(Normalise mode, const ImageSet& set, std::span<const std::uint32_t> training_images) {
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  Normalisation result{.max_value = set.max_value,
                       .shift = std::vector<double>(channels, 0.0),
                       .scale = std::vector<double>(channels, 1.0)};
  if (mode == Normalise::kNone) return result;
  const ChannelStats stats = channel_stats(set, training_images);
  result.shift = stats.mean;
  if (mode == Normalise::kCenter) return result;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    // Keras adds 1e-6 instead, which would blow up what rounding leaves of a constant channel.
    if (stats.deviation[channel] > 0) result.scale[channel] = stats.deviation[channel];
  }
  return result;
}

}  // namespace actforge
