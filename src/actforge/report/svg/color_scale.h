#pragma once

#include <string>

namespace actforge {

// The colour of a share from 0 to 1, as SVG has it: viridis, from dark blue to yellow. Lightness rises all the way, so
// that people with any kind of colour vision, and grey paper, show the same order.
std::string scale_color(double share);

}  // namespace actforge
