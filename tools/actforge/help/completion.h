#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/actforge/help/command_tree.h"

namespace actforge::tool {

// A shell, and the script that completes the program's command lines in it.
struct ShellCompletion {
  std::string_view name;
  std::string (*script)(const CommandEntry& program);
};
std::span<const ShellCompletion> shell_completions();

// Each in its own file, completion_NAME.cpp.
std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

// ---- what they share

// Calls `use` with each command that is not hidden and its level: "", " fn", " fn show".
template <class Use>
void walk_levels(const CommandEntry& command, const std::string& level, const Use& use) {
  use(command, level);
  for (const CommandEntry& sub : command.commands) {
    if (!sub.is_hidden) walk_levels(sub, level + " " + sub.name, use);
  }
}

// In single quotes, as all three shells read it.
std::string in_shell_quotes(std::string_view text);

// The levels of all commands but the first, in quotes, with `separator` between them.
std::string all_levels(const CommandEntry& program, std::string_view separator);

}  // namespace actforge::tool
