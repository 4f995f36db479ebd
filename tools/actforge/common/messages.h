#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

// What the program says beside its answer: on standard error, and in the file of --log with the time before each line.
namespace actforge::tool {

struct MessageOptions {
  bool quiet = false, verbose = false;
  std::string log;  // empty: none
};
// Called once, by main(), before a verb runs. Throws Error: both quiet and verbose; a log that cannot be written.
void set_messages(const MessageOptions& options);

// What happened: a file that was written, a trial that ended. Not with --quiet.
void note_line(std::string_view line);
// What went wrong, or may have. Always.
void warning_line(std::string_view line);
// What only somebody who looks for a fault wants to know. With --verbose alone; always in the log.
void detail_line(std::string_view line);
// In the log alone: what the screen shows in another way.
void log_line(std::string_view line);

template <class... Values>
void note(fmt::format_string<Values...> text, Values&&... values) {
  note_line(fmt::format(text, std::forward<Values>(values)...));
}
template <class... Values>
void warning(fmt::format_string<Values...> text, Values&&... values) {
  warning_line(fmt::format(text, std::forward<Values>(values)...));
}
template <class... Values>
void detail(fmt::format_string<Values...> text, Values&&... values) {
  detail_line(fmt::format(text, std::forward<Values>(values)...));
}

// A text that may hold what a user wrote, of any length and with anything in it, as lines that can be shown.
std::string message_text(std::string_view what);

// Whether lines that change in place are to be drawn: standard error is a terminal, and not with --quiet.
bool draws_progress();

// Whether the answer may have colours: standard output is a terminal that has them, and NO_COLOR is not set.
bool has_colour();

}  // namespace actforge::tool
