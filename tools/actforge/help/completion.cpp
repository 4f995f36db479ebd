#include "tools/actforge/help/completion.h"

namespace actforge::tool {

std::span<const ShellCompletion> shell_completions() {
  static constexpr ShellCompletion kShells[] = {
      {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
  return kShells;
}

// Backslashes mean something between fish's quotes, and no name or summary needs one.
std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c == '\\' ? '/' : c;
    }
  }
  return quoted + "'";
}

std::string all_levels(const CommandEntry& program, std::string_view separator) {
  std::string text;
  walk_levels(program, "", [&](const CommandEntry&, const std::string& level) {
    if (!level.empty()) text.append(text.empty() ? "" : separator).append(in_shell_quotes(level));
  });
  return text;
}

}  // namespace actforge::tool
