#pragma once

#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// `help`, `completion` and `man`, which describe the program's own commands.
void add_help(CLI::App& program, VerbAction& chosen);

}  // namespace actforge::tool
