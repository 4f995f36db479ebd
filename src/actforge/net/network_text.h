#pragma once

#include <string>
#include <string_view>

#include "actforge/net/network.h"

namespace actforge {

// A network as text, one layer a line, after the layers it takes:
//   network tiny
//   image = input(shape=1x8x8)
//   conv_1 = conv(image, filters=16, kernel=3, padding=same)   # a comment
//   act_1 = activation(conv_1, function=relu(x))
//   return act_1
// Settings that have their default value are left out. parse_network_text() reads it back to an equal network. Throws
// Error (kBadInput) with the line.
std::string network_text(const Network& network);
Network parse_network_text(std::string_view text);

// `filters=16, kernel=3`: the settings of a layer that differ from their defaults, those without one, and functions.
std::string settings_text(const Layer& layer);

}  // namespace actforge
