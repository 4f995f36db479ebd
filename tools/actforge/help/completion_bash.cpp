#include <fmt/format.h>

#include "tools/actforge/help/completion.h"

namespace actforge::tool {
namespace {

std::string words_of(const CommandEntry& command, bool options) {
  std::string words;
  if (options) {
    for (const OptionEntry& option : command.options) {
      for (const std::string& name : option.names) words.append(words.empty() ? "" : " ").append(name);
    }
  } else {
    for (const CommandEntry& sub : command.commands) {
      if (!sub.is_hidden) words.append(words.empty() ? "" : " ").append(sub.name);
    }
  }
  return words;
}

// What may follow an option: its choices, or a file, which bash completes where there is no answer.
std::string values_of(const CommandEntry& command, const std::string& level) {
  std::string text, files;
  for (const OptionEntry& option : command.options) {
    if (option.value.empty()) continue;
    for (const std::string& name : option.names) {
      const std::string place = in_shell_quotes(level + " " + name);
      if (option.choices.empty()) {
        files += (files.empty() ? "" : "|") + place;
      } else {
        text += fmt::format("    {}) words={} ;;\n", place,
                            in_shell_quotes(fmt::format("{}", fmt::join(option.choices, " "))));
      }
    }
  }
  return text + (files.empty() ? "" : "    " + files + ") return ;;\n");
}

}  // namespace

std::string bash_completion(const CommandEntry& program) {
  std::string values, options, commands;
  walk_levels(program, "", [&](const CommandEntry& command, const std::string& level) {
    const std::string place = in_shell_quotes(level);
    values += values_of(command, level);
    options += fmt::format("      {}) words={} ;;\n", place, in_shell_quotes(words_of(command, true)));
    if (!command.commands.empty()) {
      commands += fmt::format("      {}) words={} ;;\n", place, in_shell_quotes(words_of(command, false)));
    }
  });
  return "# Completes actforge in bash. Made by 'actforge completion bash'.\n"
         "_actforge() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} level='' words='' i\n"
         "  # Bash takes --option=value apart.\n"
         "  if [[ $current == '=' ]]; then\n"
         "    current=''\n"
         "  elif [[ $before == '=' ]]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    [[ $i == 1 && ${COMP_WORDS[1]} == help ]] && continue\n"
         "    case \"$level ${COMP_WORDS[i]}\" in\n"
         "      " +
         all_levels(program, "|") +
         ") level=\"$level ${COMP_WORDS[i]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  COMPREPLY=()\n"
         "  case \"$level $before\" in\n" +
         values +
         "  esac\n"
         "  if [[ -z $words && $current == -* ]]; then\n"
         "    case \"$level\" in\n" +
         options +
         "    esac\n"
         "  elif [[ -z $words ]]; then\n"
         "    case \"$level\" in\n" +
         commands +
         "    esac\n"
         "  fi\n"
         "  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _actforge actforge\n";
}

}  // namespace actforge::tool
