#pragma once

#include <string>

namespace actforge {

// "actforge 0.1.0"; studies keep it.
std::string software_version();

}  // namespace actforge
