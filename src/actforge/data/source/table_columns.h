#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/data/source/source_options.h"

namespace actforge {

// A row of a table, and where it stands.
struct TableRow {
  const std::string* origin = nullptr;
  std::size_t line = 0;
  std::vector<std::string> fields = {};

  // "FILE, line N"
  std::string place() const { return *origin + ", line " + std::to_string(line); }
};

// Empty, ?, NA, N/A, NaN, null.
bool is_missing(std::string_view text);
// A finite number; nothing for any other text.
std::optional<double> table_number(std::string_view text);

// A column that a network sees.
struct TableColumn {
  std::size_t index = 0;
  std::string name = {};
  bool numeric = true;
  std::map<std::string, std::size_t> categories = {};  // and the number of their indicator; "" where it is missing

  std::size_t width() const { return numeric ? 1 : categories.size(); }
};

// The columns of these training rows but the target and those that are to be ignored. Throws Error.
std::vector<TableColumn> find_columns(const std::vector<TableRow>& training, const std::vector<std::string>& names,
                                      std::size_t target, const SourceOptions& options);

// The column of that name or number (from 1). Throws Error (kUsage).
std::size_t find_column(const std::vector<std::string>& names, const std::string& name_or_number);

// What a network sees of a row, appended to `values`. False where it has a category that the training rows do not have,
// which leaves all indicators at 0.
bool append_row(const std::vector<TableColumn>& columns, const TableRow& row, std::vector<float>& values);

}  // namespace actforge
