#include "actforge/benchmark/spectrum_rows.h"

#include <algorithm>
#include <cmath>

namespace actforge {

std::vector<std::size_t> layer_bounds(std::span<const std::vector<float>> spectra) {
  const std::size_t width = spectra.empty() ? 0 : spectra[0].size();
  std::vector<std::size_t> bounds = {0};
  for (std::size_t i = 1; i < width; ++i) {
    const bool falls = std::ranges::any_of(spectra, [&](const auto& values) { return values[i] < values[i - 1]; });
    if (falls) bounds.push_back(i);
  }
  if (width > 0) bounds.push_back(width);
  return bounds;
}

std::vector<float> layer_scales(std::span<const std::vector<float>> spectra, std::span<const std::size_t> bounds) {
  std::vector<float> scales;
  for (std::size_t layer = 0; layer + 1 < bounds.size(); ++layer) {
    float largest = 0;
    for (const std::vector<float>& values : spectra) {
      for (std::size_t i = bounds[layer]; i < bounds[layer + 1]; ++i) largest = std::max(largest, std::fabs(values[i]));
    }
    scales.push_back(largest);
  }
  return scales;
}

std::vector<std::int32_t> spectrum_steps(std::span<const float> spectrum, std::span<const std::size_t> bounds,
                                         std::span<const float> scales) {
  std::vector<std::int32_t> steps;
  steps.reserve(spectrum.size());
  for (std::size_t layer = 0; layer + 1 < bounds.size(); ++layer) {
    std::int32_t before = 0;
    for (std::size_t i = bounds[layer]; i < bounds[layer + 1]; ++i) {
      const double share = scales[layer] > 0 ? spectrum[i] / scales[layer] : 0;
      const auto step = static_cast<std::int32_t>(std::lround(share * kSpectrumSteps));
      steps.push_back(step - before);
      before = step;
    }
  }
  return steps;
}

std::vector<float> spectrum_of_steps(std::span<const std::int32_t> steps, std::span<const std::size_t> bounds,
                                     std::span<const float> scales) {
  std::vector<float> spectrum;
  spectrum.reserve(steps.size());
  for (std::size_t layer = 0; layer + 1 < bounds.size(); ++layer) {
    std::int64_t step = 0;
    for (std::size_t i = bounds[layer]; i < bounds[layer + 1]; ++i) {
      step += steps[i];
      spectrum.push_back(static_cast<float>(static_cast<double>(step) / kSpectrumSteps * scales[layer]));
    }
  }
  return spectrum;
}

}  // namespace actforge
