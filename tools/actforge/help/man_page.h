#pragma once

#include <string>

#include "tools/actforge/help/command_tree.h"

namespace actforge::tool {

// actforge(1), for man.
std::string man_page(const CommandEntry& program);

}  // namespace actforge::tool
