#pragma once

#include <string>
#include <vector>

#include "tools/actforge/help/command_tree.h"

namespace actforge::tool {

// "unknown option '--lr' of 'actforge train'; did you mean '--learning-rate'?"
std::string unknown_option(const CommandEntry& program, const CommandEntry& command, const std::string& word);

// "unknown command 'fn polt'; did you mean 'plot'? (there are: ...)"; empty where the words name a command.
std::string unknown_command(const CommandEntry& program, std::vector<std::string> words);

}  // namespace actforge::tool
