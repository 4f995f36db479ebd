#include "tools/actforge/help/man_page.h"

#include <fmt/format.h>

#include "actforge/base/version.h"
#include "tools/actforge/help/environment.h"
#include "tools/actforge/help/help_text.h"

namespace actforge::tool {
namespace {

// Text for roff, in which backslashes, leading dots and apostrophes are commands, and a bare minus is a hyphen.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else {
      out += c;
    }
    at_start = c == '\n';
  }
  return out;
}

std::string entry(std::string_view label, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(label), roff(text));
}

// As it is, lines and columns too.
std::string verbatim(std::string_view text) {
  return text.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text.substr(0, text.find_last_not_of('\n') + 1)));
}

std::string command_section(const CommandEntry& command) {
  std::string text = fmt::format(".SS {}\n{}.\n", roff(usage_text(command)), roff(command.summary));
  for (const OptionEntry& option : command.options) {
    if (option.group != kEverywhere) text += entry(option_label(option), option_summary(option));
  }
  text += verbatim(ending_text(command));
  for (const CommandEntry& sub : command.commands) {
    if (!sub.is_hidden) text += command_section(sub);
  }
  return text;
}

std::string table(std::string_view title, std::span<const EnvironmentRow> rows) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const EnvironmentRow& row : rows) text += entry(row.name, row.meaning);
  return text;
}

}  // namespace

std::string man_page(const CommandEntry& program) {
  std::string text = fmt::format(
      ".TH ACTFORGE 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\nactforge \\- better activation functions and initial "
      "weights for neural networks\n.SH SYNOPSIS\n.B {}\n.SH DESCRIPTION\n{}\n",
      software_version(), roff(usage_text(program)), roff(program.summary));
  text += verbatim(ending_text(program));
  text += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const OptionEntry& option : program.options) text += entry(option_label(option), option_summary(option));
  text += ".SH COMMANDS\n";
  for (const CommandEntry& command : program.commands) {
    if (!command.is_hidden) text += command_section(command);
  }
  return text + table("ENVIRONMENT", environment_variables()) +
         table("ENVIRONMENT OF COMMANDS THAT IT STARTS", command_variables()) + table("EXIT STATUS", exit_codes());
}

}  // namespace actforge::tool
