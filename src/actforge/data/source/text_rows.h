#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// The rows of a file of separated values, with the line that each begins in. Fields in quotes are as in RFC 4180;
// blanks around others are left out. Empty lines, and comments as UCI writes them (a first line that begins with '|'),
// are no rows. Every row has as many fields as the first: another number is an Error (kBadInput) with "`origin`, line
// N: why", as are a quote that is not closed and a byte that is 0.
struct TextRow {
  std::size_t line = 0;
  std::vector<std::string> fields = {};
};
std::vector<TextRow> read_text_rows(std::string_view text, char separator, const std::string& origin);

}  // namespace actforge
