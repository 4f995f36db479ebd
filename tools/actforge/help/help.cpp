#include "tools/actforge/help/help.h"

#include <memory>

#include "actforge/base/find_named.h"
#include "tools/actforge/help/completion.h"
#include "tools/actforge/help/help_text.h"
#include "tools/actforge/help/man_page.h"
#include "tools/actforge/help/suggestion.h"

namespace actforge::tool {
namespace {

int help(const CLI::App& program, const std::vector<std::string>& given) {
  const CommandEntry tree = command_tree(program);
  std::vector<std::string> words = given;
  const CommandEntry& command = find_command(tree, words);
  if (!words.empty()) {
    const std::string unknown = unknown_command(tree, given);
    throw Error(ErrorCode::kUsage, unknown.empty() ? "'" + command.path + "' has no commands" : unknown);
  }
  write_output(help_text(command, HelpLength::kShort));
  return 0;
}

void add_help_verb(CLI::App& program, VerbAction& chosen) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* verb = program.add_subcommand("help", "The help of a command, as with --help after it");
  verb->add_option("COMMAND", *words, "Such as: search run");
  verb->callback(
      [&program, &chosen, words] { chosen = VerbAction([&program, words] { return help(program, *words); }); });
}

void add_completion_verb(CLI::App& program, VerbAction& chosen) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand("completion", "The script that completes command lines in a shell");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")->required();
  verb->footer("Installation puts all three where the shells look for them.");
  verb->callback([&program, &chosen, shell] {
    chosen = VerbAction([&program, shell] {
      write_output(find_named(shell_completions(), *shell, "shell").script(command_tree(program)));
      return 0;
    });
  });
}

void add_man_verb(CLI::App& program, VerbAction& chosen) {
  CLI::App* verb = program.add_subcommand("man", "The manual page");
  verb->callback([&program, &chosen] {
    chosen = VerbAction([&program] {
      write_output(man_page(command_tree(program)));
      return 0;
    });
  });
}

}  // namespace

void add_help(CLI::App& program, VerbAction& chosen) {
  add_help_verb(program, chosen);
  add_completion_verb(program, chosen);
  add_man_verb(program, chosen);
}

}  // namespace actforge::tool
