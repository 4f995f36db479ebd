#include "actforge/report/svg/color_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace actforge {
namespace {

using Color = std::array<std::uint8_t, 3>;

// Ten equidistant colours of viridis (van der Walt and Smith 2015), with straight lines between them.
constexpr std::array<Color, 10> kViridis{{{0x44, 0x01, 0x54},
                                          {0x48, 0x28, 0x78},
                                          {0x3e, 0x4a, 0x89},
                                          {0x31, 0x68, 0x8e},
                                          {0x26, 0x82, 0x8e},
                                          {0x1f, 0x9e, 0x89},
                                          {0x35, 0xb7, 0x79},
                                          {0x6d, 0xcd, 0x59},
                                          {0xb4, 0xde, 0x2c},
                                          {0xfd, 0xe7, 0x25}}};

}  // namespace

std::string scale_color(double share) {
  const double place = std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0) * (kViridis.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  const double rest = place - static_cast<double>(below);
  std::array<int, 3> color{};
  for (std::size_t k = 0; k < color.size(); ++k) {
    color[k] = static_cast<int>(std::lround((1 - rest) * kViridis[below][k] + rest * kViridis[below + 1][k]));
  }
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<unsigned>(color[0]) & 0xffU,
                static_cast<unsigned>(color[1]) & 0xffU, static_cast<unsigned>(color[2]) & 0xffU);
  return text.data();
}

}  // namespace actforge
