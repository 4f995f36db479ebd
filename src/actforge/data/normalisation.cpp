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

// The mean of equal numbers is rounded, which leaves a deviation of that size; counted bytes leave none.
bool varies(const ChannelStats& stats, std::size_t channel, bool rounded) {
  constexpr double kRounding = 1e-12;
  return stats.deviation[channel] > (rounded ? kRounding * std::fabs(stats.mean[channel]) : 0.0);
}

struct Moments {
  std::vector<std::uint64_t> count;
  std::vector<double> sum;
};

// Of `term(number, channel)` over all numbers that are there.
template <class Term>
Moments sum_values(const ImageSet& set, std::span<const std::uint32_t> images, Term term) {
  const auto channels = static_cast<std::size_t>(set.shape.channels);
  Moments moments = {std::vector<std::uint64_t>(channels), std::vector<double>(channels)};
  for (const std::uint32_t index : images) {
    std::size_t channel = 0;
    for (const float value : set.numbers(index)) {
      if (!std::isnan(value)) {
        ++moments.count[channel];
        moments.sum[channel] += term(static_cast<double>(value), channel);
      }
      if (++channel == channels) channel = 0;
    }
  }
  return moments;
}

double ratio(double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); }

ChannelStats stats_of_values(const ImageSet& set, std::span<const std::uint32_t> images) {
  ChannelStats stats;
  const Moments first = sum_values(set, images, [](double value, std::size_t) { return value; });
  for (std::size_t c = 0; c < first.sum.size(); ++c) stats.mean.push_back(ratio(first.sum[c], first.count[c]));
  const Moments second = sum_values(
      set, images, [&](double value, std::size_t c) { return (value - stats.mean[c]) * (value - stats.mean[c]); });
  for (std::size_t c = 0; c < second.sum.size(); ++c) {
    stats.deviation.push_back(std::sqrt(ratio(second.sum[c], second.count[c])));
  }
  return stats;
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
  if (set.has_values()) return stats_of_values(set, images);
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
  if (mode == Normalise::kNone && !set.has_values()) return result;
  const ChannelStats stats = channel_stats(set, training_images);
  if (set.has_values()) result.fill = stats.mean;
  if (mode == Normalise::kNone) return result;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    if (set.is_fixed(channel)) continue;
    result.shift[channel] = stats.mean[channel];
    // Keras adds 1e-6 instead, which would blow up what rounding leaves of a constant channel.
    const bool scales = mode == Normalise::kStandard && varies(stats, channel, set.has_values());
    if (scales) result.scale[channel] = stats.deviation[channel];
  }
  return result;
}

}  // namespace actforge
