#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace actforge::tool {

// Columns side by side, as wide as they need be. A title that begins with '#' is that of numbers, set to the right.
std::string table_text(std::vector<std::string> titles, std::vector<std::vector<std::string>> rows);
void print_table(std::vector<std::string> titles, std::vector<std::vector<std::string>> rows);

// Every row's name and summary, under a title: what `--list` prints.
template <class Rows>
void print_summaries(std::string_view title, const Rows& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) cells.push_back({std::string(row.name), std::string(row.summary)});
  print_table({std::string(title), "what it is"}, std::move(cells));
}

template <class Rows>
nlohmann::json summaries_json(const Rows& rows) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& row : rows) json.push_back({{"name", row.name}, {"summary", row.summary}});
  return json;
}

}  // namespace actforge::tool
