#pragma once

#include <string>
#include <string_view>

namespace actforge {

// Labels are untrusted. `readable` gives their characters with everything that could break a document or
// steer a terminal replaced: line breaks and tabs by a space; other controls, bidirectional overrides, malformed UTF-8
// and what XML 1.0 forbids by U+FFFD.
std::u32string readable(std::string_view utf8);
std::string to_utf8(std::u32string_view characters);

// Readable and escaped: fit for XML text and for attributes in either kind of quotes.
std::string xml_text(std::string_view utf8);

// The same for text of several lines, such as code: line breaks and tabs stay.
std::string xml_lines(std::string_view utf8);

// Readable, in quotes, and escaped: a JSON string that is also harmless inside of an HTML <script> element, where no
// entities count and "</script" would end it.
std::string json_text(std::string_view utf8);

// Readable and in ASCII alone: '?' stands for every other character.
std::string ascii_text(std::string_view utf8);

// Columns that readable text takes in a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks.
int terminal_columns(std::string_view utf8);
// The text if it fits, or its beginning and `ellipsis`.
std::string cut_to_columns(std::string_view utf8, int columns, std::string_view ellipsis);

// Estimated width in units of the font size, for DejaVu Sans; most other sans-serif fonts are narrower.
double text_width(std::string_view utf8);
std::string cut_to_width(std::string_view utf8, double width);

}  // namespace actforge
