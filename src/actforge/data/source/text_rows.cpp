#include "actforge/data/source/text_rows.h"

#include <algorithm>

#include "actforge/base/error.h"

namespace actforge {
namespace {

class Reader {
 public:
  Reader(std::string_view text, char separator, const std::string& origin)
      : text_(text), separator_(separator), origin_(origin) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
    if (text_.find('\0') != std::string_view::npos) fail(1, "it is not text");
  }

  std::vector<TextRow> read() {
    std::vector<TextRow> rows;
    if (text_.starts_with('|')) skip_line();
    while (at_ < text_.size()) {
      TextRow row{.line = line_};
      read_row(row.fields);
      if (row.fields.size() == 1 && row.fields[0].empty()) continue;
      if (!rows.empty() && row.fields.size() != rows[0].fields.size()) {
        fail(row.line, std::to_string(row.fields.size()) + " fields, not " + std::to_string(rows[0].fields.size()) +
                           " as line " + std::to_string(rows[0].line) + " has");
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& why) const {
    throw Error(ErrorCode::kBadInput, origin_ + ", line " + std::to_string(line) + ": " + why);
  }

  void skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    ++line_;
  }

  void read_row(std::vector<std::string>& fields) {
    for (;;) {
      skip_blanks();
      fields.push_back(at_ < text_.size() && text_[at_] == '"' ? read_quoted() : read_plain());
      if (at_ >= text_.size()) return;
      const char end = text_[at_++];
      if (end == separator_) continue;
      if (end == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
      ++line_;
      return;
    }
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }
  bool is_end(char c) const { return c == separator_ || c == '\n' || c == '\r'; }

  std::string read_plain() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_end(text_[at_])) ++at_;
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1])) --end;
    return std::string(text_.substr(begin, end - begin));
  }

  std::string read_quoted() {
    const std::size_t begin = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        field += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        field += text_[++at_];
      } else {
        ++at_;
        skip_blanks();
        if (at_ < text_.size() && !is_end(text_[at_])) fail(line_, "text after the end of a quoted field");
        return field;
      }
    }
    fail(begin, "a quote is not closed");
  }

  std::string_view text_;
  char separator_;
  const std::string& origin_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::vector<TextRow> read_text_rows(std::string_view text, char separator, const std::string& origin) {
  return Reader(text, separator, origin).read();
}

}  // namespace actforge
