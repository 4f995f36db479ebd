#include "actforge/data/digits_csv.h"

#include <algorithm>
#include <charconv>

#include "actforge/base/error.h"

namespace actforge {
namespace {

class Row {
 public:
  Row(std::string_view text, std::string place) : text_(text), place_(std::move(place)) {}

  // The next number, which a comma follows unless it is the last of the row.
  int number(int largest, bool last) {
    int value = -1;
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || text_[0] == '-' || value > largest) {
      fail("expected a whole number from 0 to " + std::to_string(largest));
    }
    if (last && stop != end) fail("more than the pixels and the label");
    if (!last && (stop == end || *stop != ',')) fail("expected a comma after each pixel");
    text_.remove_prefix(static_cast<std::size_t>(stop - begin) + (last ? 0 : 1));
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorCode::kBadInput, place_ + ": " + why); }

  std::string_view text_;
  std::string place_;
};

}  // namespace

void append_digits(std::string_view text, const std::string& origin, ImageSet& set) {
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Row row(text.substr(0, end), origin + ", line " + std::to_string(line));
    for (std::size_t i = 0; i < set.shape.size(); ++i) {
      set.pixels.push_back(static_cast<std::uint8_t>(row.number(set.max_value, false)));
    }
    set.labels.push_back(row.number(set.classes - 1, true));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace actforge
