#include "actforge/data/source/table_columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

std::vector<std::size_t> find_listed(const std::vector<std::string>& names, const std::string& list) {
  std::vector<std::size_t> found;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find('+', begin), list.size());
    found.push_back(find_column(names, list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return found;
}

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::ranges::find(list, value) != list.end();
}

[[noreturn]] void refuse_column(const TableRow& first, const std::string& name, const std::string& why) {
  throw Error(ErrorCode::kBadInput,
              *first.origin + ": column '" + name + "' " + why + "; ignore=" + name + " leaves it out");
}

// By what the training rows have.
void complete(TableColumn& column, const std::vector<TableRow>& training, bool categorical) {
  constexpr std::size_t kMostCategories = 1000;
  std::set<std::string> texts;
  bool all_missing = true;
  column.numeric = !categorical;
  for (const TableRow& row : training) {
    const std::string& text = row.fields[column.index];
    if (is_missing(text)) continue;
    all_missing = false;
    if (!table_number(text)) column.numeric = false;
  }
  if (all_missing) refuse_column(training[0], column.name, "has no values in the training part");
  if (column.numeric) return;
  for (const TableRow& row : training) {
    const std::string& text = row.fields[column.index];
    texts.insert(is_missing(text) ? "" : text);
    if (texts.size() > kMostCategories) {
      refuse_column(training[0], column.name, "has more than 1000 different texts, too many for categories");
    }
  }
  for (const std::string& text : texts) column.categories.emplace(text, column.categories.size());
}

}  // namespace

bool is_missing(std::string_view text) {
  constexpr std::string_view kSpellings[] = {"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL"};
  return std::ranges::find(kSpellings, text) != std::end(kSpellings);
}

std::optional<double> table_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || stop != text.end()) return std::nullopt;
  return std::isfinite(static_cast<float>(value)) ? std::optional(value) : std::nullopt;
}

std::size_t find_column(const std::vector<std::string>& names, const std::string& name_or_number) {
  const auto found = std::ranges::find(names, name_or_number);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::size_t number = 0;
  const char* end = name_or_number.data() + name_or_number.size();
  const auto [stop, error] = std::from_chars(name_or_number.data(), end, number);
  if (error == std::errc() && stop == end && number >= 1 && number <= names.size()) return number - 1;
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw Error(ErrorCode::kUsage,
              "there is no column '" + name_or_number + "'" + nearest_and_list(name_or_number, known));
}

std::vector<TableColumn> find_columns(const std::vector<TableRow>& training, const std::vector<std::string>& names,
                                      std::size_t target, const SourceOptions& options) {
  const std::vector<std::size_t> ignored = find_listed(names, options.ignore),
                                 categorical = find_listed(names, options.categorical);
  std::vector<TableColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == target || contains(ignored, i)) continue;
    TableColumn& column = columns.emplace_back(TableColumn{.index = i, .name = names[i]});
    complete(column, training, contains(categorical, i));
  }
  if (columns.empty()) throw Error(ErrorCode::kBadInput, *training[0].origin + ": there are no columns but the target");
  return columns;
}

bool append_row(const std::vector<TableColumn>& columns, const TableRow& row, std::vector<float>& values) {
  bool known = true;
  for (const TableColumn& column : columns) {
    const std::string& text = row.fields[column.index];
    if (column.numeric) {
      const std::optional<double> value = table_number(text);
      if (!value && !is_missing(text)) {
        throw Error(ErrorCode::kBadInput, row.place() + ": '" + text + "' in the column '" + column.name +
                                              "', which has numbers in the training part");
      }
      values.push_back(value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN());
      continue;
    }
    const std::size_t begin = values.size();
    values.insert(values.end(), column.categories.size(), 0.0f);
    const auto category = column.categories.find(is_missing(text) ? "" : text);
    if (category == column.categories.end()) {
      known = false;
    } else {
      values[begin + category->second] = 1;
    }
  }
  return known;
}

}  // namespace actforge
