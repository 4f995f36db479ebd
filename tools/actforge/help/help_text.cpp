#include "tools/actforge/help/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "actforge/report/svg/text.h"
#include "tools/actforge/help/examples.h"

namespace actforge::tool {
namespace {

constexpr std::size_t kFewOptions = 12;  // so many are shown without being common
constexpr int kWidth = 100, kColumn = 30;

std::vector<std::string> wrapped(const std::string& text, int width) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && terminal_columns(lines.back() + " " + word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

// "  --count N                    How many"; a long label has a line of its own.
std::string entry_text(const std::string& label, const std::string& summary) {
  std::string text = "  " + label;
  const int used = terminal_columns(text);
  const bool fits = used < kColumn - 1;
  if (!fits) text += '\n';
  bool is_first = true;
  for (const std::string& line : wrapped(summary, kWidth - kColumn)) {
    const int blanks = is_first && fits ? kColumn - used : kColumn;
    text += std::string(static_cast<std::size_t>(blanks), ' ') + line + "\n";
    is_first = false;
  }
  return text;
}

std::string group_text(const std::string& title, const std::vector<const OptionEntry*>& options) {
  if (options.empty()) return {};
  std::string text = "\n" + title + ":\n";
  for (const OptionEntry* option : options) text += entry_text(option_label(*option), option_summary(*option));
  return text;
}

// Groups in the order in which they first occur; what every command has comes last.
std::vector<std::string> groups_of(const CommandEntry& command) {
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  std::ranges::stable_sort(groups, {}, [](const std::string& group) { return group == kEverywhere; });
  return groups;
}

template <class Wanted>
std::vector<const OptionEntry*> options_where(const CommandEntry& command, Wanted wanted) {
  std::vector<const OptionEntry*> list;
  for (const OptionEntry& option : command.options) {
    if (wanted(option)) list.push_back(&option);
  }
  return list;
}

std::string short_options(const CommandEntry& command) {
  const auto own = options_where(command, [](const OptionEntry& option) { return option.group != kEverywhere; });
  const bool are_few = own.size() <= kFewOptions;
  const auto arguments = options_where(command, [](const OptionEntry& option) { return option.is_argument(); });
  const auto shown = options_where(command, [&](const OptionEntry& option) {
    return !option.is_argument() && option.group != kEverywhere && (are_few || option.is_common);
  });
  const std::size_t more = own.size() - arguments.size() - shown.size();
  const std::string rest = more == 0 ? "What every command takes: --log, --quiet, --verbose"
                                     : fmt::format("{} more options, and what every command takes", more);
  return group_text("Arguments", arguments) + group_text("Options", shown) + (shown.empty() ? "\nOptions:\n" : "") +
         entry_text("--help-all", rest);
}

std::string full_options(const CommandEntry& command, bool with_everywhere) {
  std::string text =
      group_text("Arguments", options_where(command, [](const OptionEntry& option) { return option.is_argument(); }));
  for (const std::string& group : groups_of(command)) {
    if (group == kEverywhere && !with_everywhere) continue;
    text += group_text(group, options_where(command, [&](const OptionEntry& option) {
                         return !option.is_argument() && option.group == group;
                       }));
  }
  return text;
}

std::string commands_text(const CommandEntry& command) {
  std::string text = command.commands.empty() ? "" : "\nCommands:\n";
  for (const CommandEntry& sub : command.commands) {
    if (!sub.is_hidden) text += entry_text(sub.name, sub.summary);
  }
  return text;
}

std::string full_text(const CommandEntry& command, bool is_first) {
  std::string text = fmt::format("{}{}\n\nUsage: {}\n", is_first ? "" : "\n\n", command.summary, usage_text(command)) +
                     commands_text(command) + full_options(command, is_first) + ending_text(command);
  for (const CommandEntry& sub : command.commands) {
    if (!sub.is_hidden) text += full_text(sub, false);
  }
  return text;
}

}  // namespace

std::string option_label(const OptionEntry& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return option.is_argument() || option.value.empty() ? names + option.value : names + " " + option.value;
}

std::string option_summary(const OptionEntry& option) {
  return option.summary + (option.usual.empty() ? "" : " [" + option.usual + "]") +
         (option.is_required && !option.is_argument() ? " (required)" : "");
}

std::string usage_text(const CommandEntry& command) {
  std::string text = command.path;
  for (const OptionEntry& option : command.options) {
    if (!option.is_argument()) continue;
    const std::string name = option.value + (option.is_repeated ? "..." : "");
    text += option.is_required ? " " + name : " [" + name + "]";
  }
  return text + (command.commands.empty() ? " [OPTIONS]" : " COMMAND");
}

std::string ending_text(const CommandEntry& command) {
  const std::string examples = examples_of(command.path);
  return (examples.empty() ? "" : "\n" + examples) + (command.notes.empty() ? "" : "\n" + command.notes + "\n");
}

std::string help_text(const CommandEntry& command, HelpLength length) {
  if (length == HelpLength::kFull) return full_text(command, true);
  return fmt::format("{}\n\nUsage: {}\n", command.summary, usage_text(command)) + commands_text(command) +
         short_options(command) + ending_text(command);
}

}  // namespace actforge::tool
