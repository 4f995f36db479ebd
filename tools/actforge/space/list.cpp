#include <fmt/format.h>

#include <memory>

#include "actforge/space/builtin_spaces.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {

VerbAction add_space_list(CLI::App& verb) {
  const auto json = std::make_shared<bool>(false);
  verb.add_flag("--json", *json, "Answer in JSON");
  return [json] {
    nlohmann::json rows = nlohmann::json::array();
    if (!*json) fmt::print("{:<12} {:>20}  {}\n", "space", "functions", "what it is");
    for (const BuiltinSpace& row : builtin_spaces()) {
      const Space space(row.define());
      rows.push_back({{"name", row.name}, {"total", integer_json(space.total())}, {"summary", row.summary}});
      if (!*json) fmt::print("{:<12} {:>20}  {}\n", row.name, with_commas(space.total()), row.summary);
    }
    if (*json) print_json(rows);
    return 0;
  };
}

}  // namespace actforge::tool
