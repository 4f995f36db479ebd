#pragma once

#include <string>

#include "tools/actforge/help/command_tree.h"

namespace actforge::tool {

// Short: the options that were declared common, or all where they are few.
enum class HelpLength { kShort, kFull };
std::string help_text(const CommandEntry& command, HelpLength length);

// "actforge fn show EXPR [OPTIONS]"
std::string usage_text(const CommandEntry& command);

// "-o, --output FILE", and "File to write [standard output]".
std::string option_label(const OptionEntry& option);
std::string option_summary(const OptionEntry& option);

// Its notes and examples.
std::string ending_text(const CommandEntry& command);

}  // namespace actforge::tool
