#include "tools/actforge/space/offspring.h"

#include <fmt/format.h>

#include "actforge/expr/language/print.h"

namespace actforge::tool {

void add_offspring_options(CLI::App& verb, OffspringOptions& options) {
  add_space_option(verb, options.space);
  add_whole_number(verb, "--count", options.count, "How many children");
  add_whole_number(verb, "--seed", options.seed, "Same seed, same children");
  verb.add_flag("--explain", options.explain, "Say how each child came about");
  verb.add_flag("--json", options.json, "Answer in JSON, explanations included");
}

int print_offspring(const OffspringOptions& options, const Space& space, std::string_view purpose,
                    nlohmann::json parents, const std::function<Offspring(Random&)>& make) {
  check_json_size(options.json, options.count);
  nlohmann::json children = nlohmann::json::array();
  for (std::uint64_t i = 0; i < options.count; ++i) {
    Random random(options.seed, i, purpose);
    const Offspring child = make(random);
    if (options.json) {
      children.push_back({{"expression", to_call(child.expr)}, {"kind", child.kind}, {"story", child.story}});
      continue;
    }
    write_output(to_call(child.expr) + "\n");
    if (!options.explain) continue;
    for (const std::string& line : child.story) write_output("    " + line + "\n");
  }
  if (options.json)
    print_json(
        {{"space", space.name()}, {"parents", std::move(parents)}, {"seed", options.seed}, {"children", children}});
  return 0;
}

}  // namespace actforge::tool
