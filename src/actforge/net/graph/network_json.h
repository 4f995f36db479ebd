#pragma once

#include <string>
#include <string_view>

#include "actforge/net/graph/network.h"

namespace actforge {

// A network as JSON:
//   {"name": "tiny", "layers": [{"name": "conv_1", "kind": "conv", "inputs": ["image"], "attributes": {"filters": 16},
//     "output_shape": [16,8,8], "weights": 160, "parameters": 160}, ...], "outputs": ["act_1"], ...}
// Everything after the attributes follows from what stands before. parse_network_json() checks output_shape where it is
// given, ignores the counts, and refuses any other key; inputs and attributes may be left out where there are none.
// Throws Error (kBadInput) with the layer.
std::string network_json(const Network& network);
Network parse_network_json(std::string_view text);

}  // namespace actforge
