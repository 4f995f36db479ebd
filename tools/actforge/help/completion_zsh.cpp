#include <fmt/format.h>

#include "tools/actforge/help/completion.h"

namespace actforge::tool {
namespace {

// 'name:summary', with the colons of a name apart from the one between them.
std::string described(const std::string& name, const std::string& summary) {
  std::string escaped;
  for (const char c : name) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
  return in_shell_quotes(escaped + ":" + summary);
}

std::string values_of(const CommandEntry& command, const std::string& level) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    if (option.value.empty()) continue;
    for (const std::string& name : option.names) {
      text +=
          fmt::format("    {}) {}; return ;;\n", in_shell_quotes(level + " " + name),
                      option.choices.empty() ? "_files" : fmt::format("compadd -- {}", fmt::join(option.choices, " ")));
    }
  }
  return text;
}

std::string level_case(const CommandEntry& command, const std::string& level) {
  std::string commands, options;
  for (const CommandEntry& sub : command.commands) {
    if (!sub.is_hidden) commands += " " + described(sub.name, sub.summary);
  }
  for (const OptionEntry& option : command.options) {
    for (const std::string& name : option.names) options += " " + described(name, option.summary);
  }
  return fmt::format("    {}) subcommands=({} ) flags=({} ) ;;\n", in_shell_quotes(level), commands, options);
}

}  // namespace

std::string zsh_completion(const CommandEntry& program) {
  std::string values, levels;
  walk_levels(program, "", [&](const CommandEntry& command, const std::string& level) {
    values += values_of(command, level);
    levels += level_case(command, level);
  });
  return "#compdef actforge\n"
         "# Completes actforge in zsh. Made by 'actforge completion zsh'.\n"
         "_actforge() {\n"
         "  local level='' i\n"
         "  local -a subcommands flags\n"
         "  for ((i = 2; i < CURRENT; ++i)); do\n"
         "    [[ $i == 2 && $words[2] == help ]] && continue\n"
         "    case \"$level $words[i]\" in\n"
         "      (" +
         all_levels(program, "|") +
         ") level=\"$level $words[i]\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$level $words[CURRENT-1]\" in\n" +
         values +
         "  esac\n"
         "  case \"$level\" in\n" +
         levels +
         "  esac\n"
         "  if [[ $PREFIX == -* ]]; then\n"
         "    _describe -o option flags\n"
         "  elif (( $#subcommands )); then\n"
         "    _describe command subcommands\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "_actforge \"$@\"\n";
}

}  // namespace actforge::tool
