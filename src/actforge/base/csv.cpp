#include "actforge/base/csv.h"

#include "actforge/base/error.h"

namespace actforge {
namespace {

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // the mark that some programs begin with
  }

  std::vector<std::vector<std::string>> read() {
    std::vector<std::vector<std::string>> rows;
    while (at_ < text_.size()) {
      std::vector<std::string> row = read_row();
      if (row.size() > 1 || !row[0].empty()) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::vector<std::string> read_row() {
    std::vector<std::string> row;
    for (;;) {
      row.push_back(at_ < text_.size() && text_[at_] == '"' ? read_quoted() : read_plain());
      if (at_ >= text_.size()) return row;
      const char end = text_[at_++];
      if (end == ',') continue;
      if (end == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
      ++line_;
      return row;
    }
  }

  std::string read_plain() {
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    const std::string field(text_.substr(at_, end - at_));
    at_ = end;
    return field;
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
        return field + read_plain();
      }
    }
    throw Error(ErrorCode::kBadInput, "line " + std::to_string(begin) + ": a quote is not closed");
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::vector<std::vector<std::string>> parse_csv(std::string_view text) { return CsvReader(text).read(); }

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

}  // namespace actforge
