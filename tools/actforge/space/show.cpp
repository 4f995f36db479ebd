#include <fmt/format.h>

#include <memory>

#include "actforge/expr/ops/op.h"
#include "actforge/space/space_file.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {
namespace {

struct Options {
  SpaceOptions space;
  bool json = false;
};

nlohmann::json names(const std::vector<Op>& ops) {
  nlohmann::json list = nlohmann::json::array();
  for (const Op op : ops) list.push_back(op_info(op).name);
  return list;
}

// Null where the space does not say.
nlohmann::json required(const Space& space) {
  const std::optional<Requirements>& require = space.definition().require;
  return require ? nlohmann::json(requirements_text(*require)) : nlohmann::json(nullptr);
}

nlohmann::json describe(const Space& space) {
  nlohmann::json schemas = nlohmann::json::array(), lists = nlohmann::json::object();
  for (const Schema& schema : space.schemas()) schemas.push_back(schema.text(space.lists()));
  for (const OperatorList& list : space.lists()) lists[list.name] = names(list.ops);
  return {{"name", space.name()},
          {"total", integer_json(space.total())},
          {"parameters", space.parameters()},
          {"max_nodes", space.is_graph_space() ? nlohmann::json(space.definition().max_nodes.value()) : nullptr},
          {"require", required(space)},
          {"schemas", schemas},
          {"lists", lists}};
}

}  // namespace

VerbAction add_space_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_space_argument(verb, options->space);
  add_require(verb, options->space);
  verb.add_flag("--json", options->json, "Answer in JSON, with every schema and every operator");
  return [options] {
    const Space space = read_space(options->space);
    if (options->json) {
      print_json(describe(space));
    } else {
      fmt::print("{}", space_toml(space));
    }
    return 0;
  };
}

}  // namespace actforge::tool
