#include "tools/actforge/help/parse_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "actforge/base/error.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/help/help_text.h"
#include "tools/actforge/help/suggestion.h"

namespace actforge::tool {
namespace {

// The command that the words led to before something was wrong.
const ::CLI::App& reached(const ::CLI::App& app) {
  const ::CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::vector<std::string> path_words(const ::CLI::App& app) {
  std::vector<std::string> words;
  for (const ::CLI::App* at = &app; at->get_parent() != nullptr; at = at->get_parent()) {
    words.insert(words.begin(), at->get_name());
  }
  return words;
}

// What is wrong with the command line, and what would be right.
std::string usage_error(const ::CLI::App& app, const CommandEntry& tree, const ::CLI::ParseError& error) {
  const ::CLI::App& app_reached = reached(app);
  std::vector<std::string> words = path_words(app_reached), rest = words;
  const CommandEntry& command = find_command(tree, rest);
  const std::vector<std::string> left = app_reached.remaining();
  // The first word without dashes where a command should be.
  if (!command.commands.empty() && !left.empty() && !left.front().starts_with('-')) {
    words.push_back(left.front());
    return unknown_command(tree, words);
  }
  for (const std::string& word : left) {
    const std::string option = word.starts_with(" -") ? word.substr(1) : word;
    if (option.size() > 1 && option[0] == '-') return unknown_option(tree, command, option);
  }
  if (!command.commands.empty()) {
    std::vector<std::string> names;
    for (const CommandEntry& sub : command.commands) {
      if (!sub.is_hidden) names.push_back(sub.name);
    }
    return fmt::format("'{}' needs a command: {}", command.path, fmt::join(names, ", "));
  }
  if (!left.empty())
    return fmt::format("'{}' takes no argument '{}'\nUsage: {}", command.path, left.front(), usage_text(command));
  return fmt::format("{}\nUsage: {}", error.what(), usage_text(command));
}

}  // namespace

int answer_parse_error(const CLI::App& program, const ::CLI::ParseError& error, bool is_bare) {
  const ::CLI::App& app = program.of_cli11();
  const CommandEntry tree = command_tree(program);
  std::vector<std::string> words = path_words(reached(app));
  const std::string path = fmt::format("actforge{}{}", words.empty() ? "" : " ", fmt::join(words, " "));
  const CommandEntry& command = find_command(tree, words);
  if (error.get_name() == "CallForVersion") {
    fmt::print("{}\n", error.what());
  } else if (error.get_exit_code() == 0) {
    fmt::print("{}", help_text(command, error.get_name() == "CallForHelp" ? HelpLength::kShort : HelpLength::kFull));
  } else if (is_bare) {
    fmt::print(stderr, "{}", help_text(tree, HelpLength::kShort));
  } else {
    warning("actforge: {}\nTry '{} --help'.", message_text(usage_error(app, tree, error)), path);
  }
  return error.get_exit_code() == 0 ? 0 : static_cast<int>(ErrorCode::kUsage);
}

}  // namespace actforge::tool
