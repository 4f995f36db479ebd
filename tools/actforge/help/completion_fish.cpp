#include <fmt/format.h>

#include "tools/actforge/help/completion.h"

namespace actforge::tool {
namespace {

std::string option_line(const OptionEntry& option, const std::string& condition) {
  std::string line = "complete -c actforge -n " + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    line += " -x -a " + in_shell_quotes(fmt::format("{}", fmt::join(option.choices, " ")));
  } else if (!option.value.empty()) {
    line += " -r";
  }
  return line + " -d " + in_shell_quotes(option.summary) + "\n";
}

}  // namespace

std::string fish_completion(const CommandEntry& program) {
  std::string lines;
  walk_levels(program, "", [&](const CommandEntry& command, const std::string& level) {
    const std::string condition = in_shell_quotes("__actforge_at \"" + level + "\"");
    for (const CommandEntry& sub : command.commands) {
      if (sub.is_hidden) continue;
      lines +=
          fmt::format("complete -c actforge -n {} -f -a {} -d {}\n", condition, sub.name, in_shell_quotes(sub.summary));
    }
    for (const OptionEntry& option : command.options) {
      if (!option.is_argument()) lines += option_line(option, condition);
    }
  });
  return "# Completes actforge in fish. Made by 'actforge completion fish'.\n"
         "function __actforge_at\n"
         "  set -l level ''\n"
         "  set -l words (commandline -opc)\n"
         "  set -e words[1]\n"
         "  for word in $words\n"
         "    if test \"$level $word\" = ' help'\n"
         "      continue\n"
         "    end\n"
         "    switch \"$level $word\"\n"
         "      case " +
         all_levels(program, " ") +
         "\n"
         "        set level \"$level $word\"\n"
         "    end\n"
         "  end\n"
         "  test \"$level\" = \"$argv[1]\"\n"
         "end\n" +
         lines;
}

}  // namespace actforge::tool
