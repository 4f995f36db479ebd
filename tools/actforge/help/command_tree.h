#pragma once

#include <string>
#include <vector>

#include "tools/actforge/common/cli.h"

// The program's commands and options as plain values. Help, completions, the man page and suggestions are made of them,
// so that an option is described in one place: where a verb declares it.
namespace actforge::tool {

inline constexpr const char* kEverywhere = "With every command";  // the group of options that every command has

struct OptionEntry {
  std::vector<std::string> names;    // "-o", "--output"; none: an argument without a name
  std::string value;                 // what stands for its value; empty: it takes none
  std::vector<std::string> choices;  // all values, if they are few
  std::string summary, usual, group;
  bool is_required = false, is_repeated = false, is_common = false;

  bool is_argument() const { return names.empty(); }
  const std::string& long_name() const { return names.back(); }
};

struct CommandEntry {
  std::string name, path;  // "show", "actforge fn show"
  std::string summary;
  std::string notes;  // what follows the options in its help
  bool is_hidden = false;
  std::vector<OptionEntry> options;
  std::vector<CommandEntry> commands;
};

CommandEntry command_tree(const CLI::App& program);

// Follows words through commands for as long as they name one; `words` that are left are not commands.
const CommandEntry& find_command(const CommandEntry& program, std::vector<std::string>& words);

}  // namespace actforge::tool
