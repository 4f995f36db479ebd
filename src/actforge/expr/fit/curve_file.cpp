#include "actforge/expr/fit/curve_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "actforge/base/csv.h"
#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/base/read_file.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

using Row = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kBadInput, "'" + path + "'" + why);
}

[[noreturn]] void refuse_row(const std::string& path, std::size_t row, const std::string& why) {
  refuse(path, ", row " + std::to_string(row) + ": " + why);
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::optional<double> number_of(const std::string& field) {
  const std::string text = trimmed(field);
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Where x and y stand, and the first row of numbers.
struct Layout {
  std::size_t x = 0, y = 1, first = 0;
};

Layout layout_of(const std::vector<Row>& rows, const std::string& path) {
  const Row& head = rows[0];
  if (head.size() == 2 && number_of(head[0]) && number_of(head[1])) return {};
  Row names;
  for (const std::string& field : head) names.push_back(trimmed(field));
  const auto place = [&](const char* name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      std::string list;
      for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
      refuse(path, std::string(" has no column '") + name + "'; its first row is: " + list);
    }
    return static_cast<std::size_t>(found - names.begin());
  };
  return {.x = place("x"), .y = place("y"), .first = 1};
}

double field_of(const Row& row, std::size_t column, std::size_t number, const std::string& path) {
  if (column >= row.size()) {
    refuse_row(path, number,
               "it has " + std::to_string(row.size()) + " of the " + std::to_string(column + 1) + " columns");
  }
  const std::optional<double> value = number_of(row[column]);
  if (!value) refuse_row(path, number, "'" + row[column] + "' is not a number");
  return *value;
}

}  // namespace

Curve read_curve(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) throw Error(ErrorCode::kBadInput, "cannot read '" + path + "'; does it exist?");
  const std::vector<Row> rows = parse_csv(*text);
  if (rows.empty()) refuse(path, " is empty; it needs the columns x and y");
  const Layout layout = layout_of(rows, path);
  Curve curve;
  for (std::size_t i = layout.first; i < rows.size(); ++i) {
    if (rows[i].size() > rows[0].size()) {
      refuse_row(path, i + 1,
                 "it has " + std::to_string(rows[i].size()) + " fields, the first row " +
                     std::to_string(rows[0].size()) + "; decimals take a point, not a comma");
    }
    curve.x.push_back(field_of(rows[i], layout.x, i + 1, path));
    curve.y.push_back(field_of(rows[i], layout.y, i + 1, path));
  }
  return curve;
}

Curve sample_curve(const Reference& function, const SampledRange& range) {
  Curve curve;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(range.count - 1);
    const double x = range.low + (range.high - range.low) * share, y = function.value(x);
    if (!std::isfinite(y)) {
      throw Error(ErrorCode::kBadInput, to_call(function.expr()) + " is " + number_text(y) +
                                            " at x = " + number_text(x) + "; choose a --range where it is finite");
    }
    curve.x.push_back(x);
    curve.y.push_back(y);
  }
  return curve;
}

}  // namespace actforge
