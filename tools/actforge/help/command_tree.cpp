#include "tools/actforge/help/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

namespace actforge::tool {
namespace {

using Marks = std::set<const ::CLI::Option*>;

void collect_common(const CLI::App& app, Marks& marks) {
  for (const CLI::Option& option : app.options()) {
    if (option.is_common()) marks.insert(&option.of_cli11());
  }
  for (const auto& command : app.commands()) collect_common(*command, marks);
}

// "{text,csv}" of a type such as "TEXT:{text,csv}", which is how CLI11 describes a choice.
std::vector<std::string> read_choices(const std::string& type) {
  const std::size_t open = type.find(":{"), close = type.find('}', open);
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  for (std::size_t at = open + 2; at <= close;) {
    const std::size_t end = std::min(type.find(',', at), close);
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

std::string value_name(const std::string& type, const std::vector<std::string>& choices) {
  static const std::map<std::string, std::string, std::less<>> kWords = {
      {"FLOAT", "NUMBER"}, {"UINT", "N"}, {"INT", "N"}, {"", "TEXT"}};
  if (!choices.empty()) {
    std::string text;
    for (const std::string& choice : choices) text += (text.empty() ? "" : "|") + choice;
    return text;
  }
  const std::string base = type.substr(0, type.find(':'));
  const auto word = kWords.find(base);
  return word == kWords.end() ? base : word->second;
}

OptionEntry option_entry(const ::CLI::Option& option, const Marks& marks) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  const bool takes_value = option.get_type_size() != 0 && option.get_expected_max() != 0;
  if (takes_value) {
    entry.choices = read_choices(option.get_type_name());
    entry.value = entry.names.empty() ? option.get_name(true) : value_name(option.get_type_name(), entry.choices);
    if (!entry.names.empty() && option.get_expected_min() == 0) entry.value = "[" + entry.value + "]";
  }
  entry.summary = option.get_description();
  entry.usual = option.get_default_str();
  entry.group = option.get_group();
  entry.is_required = option.get_required();
  entry.is_repeated = option.get_expected_max() >= ::CLI::detail::expected_max_vector_size;
  entry.is_common =
      entry.is_argument() || entry.is_required || marks.contains(&option) || entry.long_name() == "--json";
  return entry;
}

// CLI11 hands notes down: what a group says of its arguments is right for its commands too, its examples are not.
void drop_inherited_examples(CommandEntry& entry) {
  const bool is_program = entry.path.find(' ') == std::string::npos;
  for (CommandEntry& command : entry.commands) {
    if (command.notes == entry.notes && (is_program || entry.notes.starts_with("Examples"))) command.notes.clear();
  }
}

CommandEntry command_entry(const ::CLI::App& app, const std::string& parent, const Marks& marks) {
  CommandEntry entry = {.name = app.get_name(),
                        .path = parent + app.get_name(),
                        .summary = app.get_description(),
                        .notes = app.get_footer(),
                        .is_hidden = app.get_group().empty(),
                        .options = {},
                        .commands = {}};
  for (const ::CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) entry.options.push_back(option_entry(*option, marks));
  }
  for (const ::CLI::App* command : app.get_subcommands(nullptr)) {
    entry.commands.push_back(command_entry(*command, entry.path + " ", marks));
  }
  drop_inherited_examples(entry);
  return entry;
}

}  // namespace

CommandEntry command_tree(const CLI::App& program) {
  Marks marks;
  collect_common(program, marks);
  return command_entry(program.of_cli11(), "", marks);
}

const CommandEntry& find_command(const CommandEntry& program, std::vector<std::string>& words) {
  const CommandEntry* at = &program;
  while (!words.empty()) {
    const auto next = std::ranges::find(at->commands, words.front(), &CommandEntry::name);
    if (next == at->commands.end()) break;
    at = &*next;
    words.erase(words.begin());
  }
  return *at;
}

}  // namespace actforge::tool
