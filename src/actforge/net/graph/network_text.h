#pragma once

#include <string>
#include <string_view>

#include "actforge/net/graph/network.h"

namespace actforge {

// A network as text, one layer a line, after the layers it takes:
//   network tiny
//   image = input(shape=1x8x8)
//   conv_1 = conv(image, filters=16, kernel=3, padding=same)   # a comment
//   act_1 = activation(conv_1, function=relu(x))
//   return act_1
// Settings that have their default value are left out, with the exceptions below. parse_network_text() reads it back to
// an equal network. Throws Error (kBadInput) with the line.
std::string network_text(const Network& network);
Network parse_network_text(std::string_view text);

// Whether a setting, by its place in the kind's table, says nothing: it has its default, and is not what people look
// for in that kind of layer (a function, the rate of a dropout).
bool is_plain_default(const Layer& layer, std::size_t attribute);

// `filters=16, kernel=3`: the settings of a layer that are no plain defaults.
std::string settings_text(const Layer& layer);

}  // namespace actforge
