#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace actforge {

// Where the layers of spectra begin, and their number of columns at the end. Within a layer a cumulative distribution
// never falls, and the next begins below its end: a layer ends where any spectrum falls. All are equally long.
std::vector<std::size_t> layer_bounds(std::span<const std::vector<float>> spectra);

// The largest value of each layer: its scale.
std::vector<float> layer_scales(std::span<const std::vector<float>> spectra, std::span<const std::size_t> bounds);

// Spectra as whole numbers: steps of a 4,095th of each layer's scale, and of these the differences of neighbours.
inline constexpr int kSpectrumSteps = 4095;
std::vector<std::int32_t> spectrum_steps(std::span<const float> spectrum, std::span<const std::size_t> bounds,
                                         std::span<const float> scales);
std::vector<float> spectrum_of_steps(std::span<const std::int32_t> steps, std::span<const std::size_t> bounds,
                                     std::span<const float> scales);

}  // namespace actforge
