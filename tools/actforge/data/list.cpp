#include <fmt/format.h>

#include <memory>

#include "actforge/data/dataset.h"
#include "actforge/space/integer.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

nlohmann::json to_json(const Dataset& row) {
  const auto where = where_is(row);
  return {{"name", row.name},
          {"summary", row.summary},
          {"channels", row.shape.channels},
          {"height", row.shape.height},
          {"width", row.shape.width},
          {"classes", row.classes()},
          {"train", row.train_count},
          {"test", row.test_count},
          {"validation", row.validation},
          {"where", where ? nlohmann::json(*where) : nullptr},
          {"get_with", row.get_with.empty() ? nlohmann::json(nullptr) : nlohmann::json(row.get_with)}};
}

void print_row(const Dataset& row) {
  const std::string shape = fmt::format("{} x {} x {}", row.shape.height, row.shape.width, row.shape.channels);
  fmt::print("{:<14} {:>8} {:>7}  {:<11} {:>7}  {}\n", row.name, with_commas(row.train_count),
             with_commas(row.test_count), shape, row.classes(),
             where_is(row) ? "here" : fmt::format("not here; to get it: {}", row.get_with));
}

}  // namespace

VerbAction add_data_list(CLI::App& verb) {
  const auto json = std::make_shared<bool>(false);
  verb.add_flag("--json", *json, "Answer in JSON");
  return [json] {
    nlohmann::json rows = nlohmann::json::array();
    if (!*json) fmt::print("{:<14} {:>8} {:>7}  {:<11} {:>7}\n", "data set", "training", "test", "shape", "classes");
    for (const Dataset& row : datasets()) {
      if (*json) {
        rows.push_back(to_json(row));
      } else {
        print_row(row);
      }
    }
    if (*json) print_json(rows);
    return 0;
  };
}

}  // namespace actforge::tool
