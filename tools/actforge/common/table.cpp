#include "tools/actforge/common/table.h"

#include <algorithm>

#include "actforge/report/svg/text.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

std::string table_text(std::vector<std::string> titles, std::vector<std::vector<std::string>> rows) {
  std::vector<bool> right;
  for (std::string& title : titles) {
    right.push_back(title.starts_with('#'));
    if (right.back()) title.erase(0, 1);
  }
  rows.insert(rows.begin(), titles);
  std::vector<int> width(titles.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], terminal_columns(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(static_cast<std::size_t>(width[i] - terminal_columns(row[i])), ' ');
      line += right[i] ? blanks + row[i] + "  " : row[i] + blanks + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void print_table(std::vector<std::string> titles, std::vector<std::vector<std::string>> rows) {
  write_output(table_text(std::move(titles), std::move(rows)));
}

}  // namespace actforge::tool
