#pragma once

#include "tools/actforge/help/command_tree.h"

namespace CLI {
class ParseError;
}

namespace actforge::tool {

// What CLI11 ends its reading of a command line with: a wish for help or the version, which is printed, or a mistake,
// which is explained with what would be right. Returns the exit code. `is_bare`: there was no word at all.
int answer_parse_error(const CLI::App& program, const ::CLI::ParseError& error, bool is_bare);

}  // namespace actforge::tool
