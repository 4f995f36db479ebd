#pragma once

#include <string>

#include "actforge/net/graph/network.h"

namespace actforge::tool {

// Draws the network into a .svg or .png file. Throws Error.
void save_network_picture(const Network& network, const std::string& path);

}  // namespace actforge::tool
