#include "actforge/report/svg/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace actforge {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Span {
  char32_t first, last;
};

bool within(char32_t c, const auto& spans) {
  return std::any_of(spans.begin(), spans.end(), [c](const Span& s) { return s.first <= c && c <= s.last; });
}

// The blocks of East_Asian_Width W and F that labels may plausibly hold, rounded outwards: too wide is harmless.
constexpr std::array<Span, 9> kWide{{{0x1100, 0x115F},
                                     {0x2E80, 0xA4CF},
                                     {0xA960, 0xA97F},
                                     {0xAC00, 0xD7A3},
                                     {0xF900, 0xFAFF},
                                     {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},
                                     {0x1F000, 0x1FAFF},
                                     {0x20000, 0x3FFFD}}};

constexpr std::array<Span, 7> kZeroWidth{{{0x0300, 0x036F},
                                          {0x1AB0, 0x1AFF},
                                          {0x1DC0, 0x1DFF},
                                          {0x200B, 0x200D},
                                          {0x20D0, 0x20FF},
                                          {0xFE00, 0xFE0F},
                                          {0xFE20, 0xFE2F}}};

// C0 and C1 controls, line and paragraph separators, bidirectional controls, surrogates, noncharacters.
constexpr std::array<Span, 9> kForbidden{{{0x00, 0x1F},
                                          {0x7F, 0x9F},
                                          {0x061C, 0x061C},
                                          {0x200E, 0x200F},
                                          {0x2028, 0x202E},
                                          {0x2066, 0x2069},
                                          {0xD800, 0xDFFF},
                                          {0xFDD0, 0xFDEF},
                                          {0xFFFE, 0xFFFF}}};

char32_t harmless(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return ' ';
  return within(c, kForbidden) ? kReplacement : c;
}

std::uint8_t byte_at(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

// The character that starts at `i`, which moves past it; nothing, and one byte further, where the encoding is broken.
std::optional<char32_t> next_character(std::string_view text, std::size_t& i) {
  const std::uint8_t lead = byte_at(text, i++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  constexpr std::array<char32_t, 4> kSmallest{0, 0x80, 0x800, 0x10000};  // anything less is an overlong form
  if (lead < 0xC2 || lead > 0xF4) return std::nullopt;
  char32_t c = lead & (0x3F >> more);
  for (int k = 0; k < more; ++k) {
    if (i + k >= text.size() || (byte_at(text, i + k) & 0xC0) != 0x80) return std::nullopt;
    c = (c << 6) | (byte_at(text, i + k) & 0x3F);
  }
  if (c < kSmallest[more] || c > 0x10FFFF) return std::nullopt;
  i += more;
  return c;
}

int columns_of(char32_t c) { return within(c, kZeroWidth) ? 0 : within(c, kWide) ? 2 : 1; }

// Advance widths of DejaVu Sans from U+0020 on, in hundredths of the font size.
constexpr std::array<std::uint8_t, 95> kAdvance{
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

double advance_of(char32_t c) {
  if (c >= 0x20 && c < 0x20 + kAdvance.size()) return kAdvance[c - 0x20] / 100.0;
  switch (columns_of(c)) {
    case 0: return 0;
    case 2: return 1;
    default: return c < 0x500 ? 0.66 : 0.9;  // Latin, Greek, Cyrillic; symbols
  }
}

// The longest beginning for which text and ellipsis fit; a mark stays with the character that it combines with.
std::string cut(std::string_view utf8, double room, std::string_view ellipsis, auto&& size_of) {
  const std::u32string text = readable(utf8);
  double total = 0;
  for (const char32_t c : text) total += size_of(c);
  if (total <= room) return to_utf8(text);
  const std::u32string dots = readable(ellipsis);
  for (const char32_t c : dots) room -= size_of(c);
  if (room < 0) return {};
  std::size_t kept = 0;
  for (double used = 0; kept < text.size(); ++kept) {
    used += size_of(text[kept]);
    if (used > room) break;
  }
  while (kept > 0 && text[kept - 1] == ' ') --kept;
  return to_utf8(text.substr(0, kept)) + to_utf8(dots);
}

}  // namespace

std::u32string readable(std::string_view utf8) {
  std::u32string characters;
  for (std::size_t i = 0; i < utf8.size();) characters += harmless(next_character(utf8, i).value_or(kReplacement));
  return characters;
}

std::string to_utf8(std::u32string_view characters) {
  std::string text;
  const auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
  for (const char32_t c : characters) {
    if (c < 0x80) {
      put(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    put(((0xFF00u >> (more + 1)) & 0xFF) | (c >> (6 * more)));
    for (int k = more - 1; k >= 0; --k) put(0x80 | ((c >> (6 * k)) & 0x3F));
  }
  return text;
}

std::string xml_text(std::string_view utf8) {
  std::string text;
  for (const char c : to_utf8(readable(utf8))) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\'': text += "&#39;"; break;
      default: text += c;
    }
  }
  return text;
}

std::string xml_lines(std::string_view utf8) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= utf8.size(); ++i) {
    if (i < utf8.size() && utf8[i] != '\n' && utf8[i] != '\t') continue;
    std::string_view line = utf8.substr(begin, i - begin);
    if (i < utf8.size() && utf8[i] == '\n' && line.ends_with('\r')) line.remove_suffix(1);
    text += xml_text(line);
    if (i < utf8.size()) text += utf8[i];
    begin = i + 1;
  }
  return text;
}

std::string json_text(std::string_view utf8) {
  std::string text = "\"";
  for (const char c : to_utf8(readable(utf8))) {
    switch (c) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '&': text += "\\u0026"; break;
      case '<': text += "\\u003c"; break;
      case '>': text += "\\u003e"; break;
      default: text += c;  // `readable` has left no controls, nor U+2028 and U+2029
    }
  }
  return text + "\"";
}

std::string ascii_text(std::string_view utf8) {
  std::string text;
  for (const char32_t c : readable(utf8)) text += c < 0x80 ? static_cast<char>(c) : '?';
  return text;
}

int terminal_columns(std::string_view utf8) {
  int columns = 0;
  for (const char32_t c : readable(utf8)) columns += columns_of(c);
  return columns;
}

std::string cut_to_columns(std::string_view utf8, int columns, std::string_view ellipsis) {
  return cut(utf8, columns, ellipsis, columns_of);
}

double text_width(std::string_view utf8) {
  double width = 0;
  for (const char32_t c : readable(utf8)) width += advance_of(c);
  return width;
}

std::string cut_to_width(std::string_view utf8, double width) { return cut(utf8, width, "…", advance_of); }

}  // namespace actforge
