#include "actforge/init/spatial_profile.h"

#include <algorithm>
#include <cmath>

#include "actforge/init/along_axis.h"
#include "actforge/init/mixed_response.h"
#include "actforge/net/axes.h"
#include "actforge/net/layers.h"

namespace actforge {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

double average(const Profile& profile) {
  double sum = 0;
  for (const float value : profile) sum += static_cast<double>(value);
  return sum / static_cast<double>(profile.size());
}

bool is_uniform(const Profile& profile) {
  const auto [low, high] = std::minmax_element(profile.begin(), profile.end());
  return *high - *low < 1e-6F;
}

Shape spatial(const Shape& shape) { return shape.empty() ? Shape() : Shape(shape.begin() + 1, shape.end()); }

bool is_image(const Signal& signal) {
  return signal.channel_axis == 0 && signal.shape.size() >= 2 && signal.shape.size() <= 4;
}

Profile values_of(const ProfilePointer& profile, const Shape& extents) {
  return profile != nullptr ? *profile : Profile(size(element_count(extents)), 1);
}

bool has_window(const LayerKind* kind) {
  return kind == &kConvLayer || kind == &kDepthwiseConvLayer || kind == &kTransposedConvLayer;
}

// Of layers that leave every number where it is, or move whole places.
ProfilePointer moved(const MapQuestion& q, const ProfilePointer& input) {
  const LayerSetting& layer = q.setting;
  const Shape from = spatial(layer.inputs[0].shape), to = spatial(q.layer().output.shape);
  Margins margins;
  double sign = 1;
  if (layer.kind == &kZeroPaddingLayer) {
    margins = read_margins(layer, "padding");
  } else if (layer.kind == &kCroppingLayer) {
    margins = read_margins(layer, "margin");
    sign = -1;
  }
  Profile numbers = values_of(input, from);
  Shape extents = from;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t factor = layer.kind == &kUpSamplingLayer ? layer.integer("factor") : 1;
    const std::int64_t shift = margins.before.empty() ? 0 : static_cast<std::int64_t>(sign) * margins.before[axis];
    numbers =
        along_axis(numbers, extents, axis, to[axis], [&](std::int64_t place, const float* line, std::size_t stride) {
          const std::int64_t at = (place - shift) / factor;
          return place < shift || at >= extents[axis] ? 0.0F : line[size(at) * stride];
        });
    extents[axis] = to[axis];
  }
  return normalised_profile(std::move(numbers));
}

// Several inputs: each with its share of the second moment.
ProfilePointer mixed(const MapQuestion& q, bool by_size) {
  const Shape& output = q.layer().output.shape;
  Profile sum(size(element_count(spatial(output))), 0);
  // Relative to it: signals that explode are beyond the largest float.
  double largest = 0;
  for (const SignalMoments& input : q.inputs) largest = std::max(largest, input.square());
  for (std::size_t i = 0; i < q.inputs.size(); ++i) {
    const Shape& shape = q.setting.inputs[i].shape;
    if (spatial(shape) != spatial(output)) return {};
    const double relative = largest > 0 ? q.inputs[i].square() / largest : 0;
    const double share = relative * (by_size ? static_cast<double>(shape[0]) : 1);
    const Profile part = values_of(q.profiles[i], spatial(shape));
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += static_cast<float>(share) * part[p];
  }
  return normalised_profile(std::move(sum));
}

}  // namespace

ProfilePointer relative_deviations(Profile numbers, double whole) {
  if (!(whole > 0) || !std::isfinite(whole)) return {};
  const auto factor = static_cast<float>(1 / whole);
  for (float& value : numbers) value *= factor;
  return is_uniform(numbers) ? ProfilePointer() : std::make_shared<const Profile>(std::move(numbers));
}

ProfilePointer normalised_profile(Profile numbers) {
  const double mean = average(numbers);
  return relative_deviations(std::move(numbers), mean);
}

Profile window_averages(const Profile& values, const ProfilePointer& weights, const Shape& extents,
                        const Window& window) {
  const Profile shares = values_of(weights, extents);
  Profile weighted = values;
  for (std::size_t p = 0; p < values.size(); ++p) weighted[p] *= shares[p];
  Profile averages = window_sums(weighted, extents, window);
  const Profile sums = window_sums(shares, extents, window);
  for (std::size_t p = 0; p < averages.size(); ++p) averages[p] /= std::max(sums[p], 1e-30F);
  return averages;
}

Profile window_sums(const Profile& numbers, const Shape& extents, const Window& window) {
  const Shape places = window_places(window, extents);
  Profile result = numbers;
  Shape now = extents;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    result =
        along_axis(result, now, axis, places[axis], [&](std::int64_t place, const float* line, std::size_t stride) {
          float sum = 0;
          for (std::int64_t point = 0; point < window.size[axis]; ++point) {
            const std::int64_t at = place * window.stride[axis] - window.before[axis] + point * window.dilation[axis];
            if (at >= 0 && at < now[axis]) sum += line[size(at) * stride];
          }
          return sum;
        });
    now[axis] = places[axis];
  }
  return result;
}

Profile spread_sums(const Profile& numbers, const Shape& extents, const LayerSetting& layer, const Shape& output) {
  const auto list = [&](std::string_view attribute) { return per_extent(layer, attribute, extents.size()); };
  const auto kernel = list("kernel"), stride = list("stride"), dilation = list("dilation"), margin = list("margin");
  Profile result = numbers;
  Shape now = extents;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    result = along_axis(result, now, axis, output[axis], [&](std::int64_t place, const float* line, std::size_t step) {
      float sum = 0;
      // place = from · stride + point · dilation - margin
      for (std::int64_t point = 0; point < kernel[axis]; ++point) {
        const std::int64_t scaled = place + margin[axis] - point * dilation[axis];
        if (scaled < 0 || scaled % stride[axis] != 0 || scaled / stride[axis] >= now[axis]) continue;
        sum += line[size(scaled / stride[axis]) * step];
      }
      return sum;
    });
    now[axis] = output[axis];
  }
  return result;
}

WeightedTerms convolution_terms(const LayerSetting& layer, const Shape& output, const ProfilePointer& input) {
  const Shape extents = spatial_extents(layer);
  const Profile numbers = values_of(input, extents);
  Profile sums = layer.kind == &kTransposedConvLayer ? spread_sums(numbers, extents, layer, spatial(output))
                                                     : window_sums(numbers, extents, read_window(layer, "kernel"));
  const double terms = average(sums);
  return {terms, normalised_profile(std::move(sums))};
}

ProfilePointer next_profile(const MapQuestion& q, const MapAnswer& answer) {
  const LayerKind* kind = q.setting.kind;
  if (q.inputs.empty() || !is_image(q.layer().output) || !is_image(q.setting.inputs[0])) return {};
  const bool uniform = std::all_of(q.profiles.begin(), q.profiles.end(), [](const auto& p) { return p == nullptr; });
  if (has_window(kind)) return convolution_terms(q.setting, q.layer().output.shape, q.profiles[0]).profile;
  if (kind == &kZeroPaddingLayer) return moved(q, q.profiles[0]);
  if (answer.mixed != nullptr) return answer.mixed->profile;
  if (uniform) return {};
  if (kind == &kMaxPoolLayer || kind == &kAveragePoolLayer) {
    const Shape extents = spatial_extents(q.setting);
    const Window window = read_window(q.setting, "size");
    Profile sums = window_sums(*q.profiles[0], extents, window);
    const Profile counts = window_sums(Profile(q.profiles[0]->size(), 1), extents, window);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= std::max(1.0F, counts[i]);
    return normalised_profile(std::move(sums));
  }
  if (kind == &kCroppingLayer || (kind == &kUpSamplingLayer && q.setting.word("mode") == "nearest")) {
    return moved(q, q.profiles[0]);
  }
  const bool keeps = kind == &kDropoutLayer || kind == &kSpatialDropoutLayer || kind == &kBatchNormLayer ||
                     kind == &kGroupNormLayer || kind == &kPositionLayer;
  if (keeps) return q.profiles[0];
  if (kind == &kAddLayer || kind == &kSubtractLayer || kind == &kAverageLayer || kind == &kWeightedSumLayer ||
      kind == &kMaximumLayer || kind == &kMinimumLayer) {
    return mixed(q, false);
  }
  if (kind == &kConcatenateLayer && concatenate_axis(q.setting) == 0) return mixed(q, true);
  // Layer normalisation makes all places alike; the others mix them.
  return {};
}

}  // namespace actforge
