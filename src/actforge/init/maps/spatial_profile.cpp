#include "actforge/init/maps/spatial_profile.h"

#include <algorithm>
#include <cmath>

#include "actforge/init/moments/along_axis.h"

namespace actforge {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

bool is_uniform(const Profile& profile) {
  const auto [low, high] = std::minmax_element(profile.begin(), profile.end());
  return *high - *low < 1e-6F;
}

}  // namespace

double profile_average(const Profile& profile) {
  double sum = 0;
  for (const float value : profile) sum += static_cast<double>(value);
  return sum / static_cast<double>(profile.size());
}

ProfilePointer first_profile(const MomentQuery& q) { return q.profiles.empty() ? ProfilePointer() : q.profiles[0]; }

Profile profile_values(const ProfilePointer& profile, const Shape& extents) {
  return profile != nullptr ? *profile : Profile(size(element_count(extents)), 1);
}

Shape image_extents(const Shape& shape) { return shape.empty() ? Shape() : Shape(shape.begin() + 1, shape.end()); }

ProfilePointer relative_deviations(Profile numbers, double whole) {
  if (!(whole > 0) || !std::isfinite(whole)) return {};
  const auto factor = static_cast<float>(1 / whole);
  for (float& value : numbers) value *= factor;
  return is_uniform(numbers) ? ProfilePointer() : std::make_shared<const Profile>(std::move(numbers));
}

ProfilePointer normalised_profile(Profile numbers) {
  const double mean = profile_average(numbers);
  return relative_deviations(std::move(numbers), mean);
}

Profile window_averages(const Profile& values, const ProfilePointer& weights, const Shape& extents,
                        const Window& window) {
  const Profile shares = profile_values(weights, extents);
  Profile weighted = values;
  for (std::size_t p = 0; p < values.size(); ++p) weighted[p] *= shares[p];
  Profile averages = window_sums(weighted, extents, window);
  const Profile sums = window_sums(shares, extents, window);
  for (std::size_t p = 0; p < averages.size(); ++p) averages[p] /= std::max(sums[p], 1e-30F);
  return averages;
}

Profile window_sums(const Profile& numbers, const Shape& extents, const Window& window) {
  const Shape places = window_positions(window, extents);
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

ProfilePointer uniform_profile(const MomentQuery& /*q*/, const MomentResult& /*answer*/) { return {}; }

ProfilePointer same_profile(const MomentQuery& q, const MomentResult& /*answer*/) { return q.profiles[0]; }

}  // namespace actforge
