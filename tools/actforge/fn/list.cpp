#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "actforge/expr/language/alias.h"
#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

bool contains(std::span<const Op> list, Op op) { return std::ranges::find(list, op) != list.end(); }

std::vector<std::string> systems_of(Op op) {
  std::vector<std::string> systems;
  if (contains(pangaea_unary(), op) || contains(pangaea_binary(), op)) systems.push_back("PANGAEA");
  if (contains(cafe_unary(), op) || contains(cafe_binary(), op)) systems.push_back("CAFE");
  return systems;
}

std::string kind_of(const OpInfo& info) { return info.arity == 1 ? "unary" : info.arity == 2 ? "binary" : "n-ary"; }

struct Options {
  bool aliases = false, json = false;
};

int list_aliases(bool json) {
  nlohmann::json list = nlohmann::json::array();
  std::vector<std::vector<std::string>> rows;
  for (const Alias& alias : alias_table()) {
    list.push_back({{"name", alias.name}, {"means", alias.means}, {"from", alias.from}});
    rows.push_back({std::string(alias.name), std::string(alias.means), std::string(alias.from)});
  }
  json ? print_json(list) : print_table({"name", "means", "as in"}, std::move(rows));
  return 0;
}

int list_operators(bool json) {
  nlohmann::json list = nlohmann::json::array();
  if (!json) fmt::print("{:<13} {:<7} {:<14} {}\n", "name", "kind", "search space", "value; what happens at the edges");
  for (const OpInfo& info : op_table()) {
    const auto systems = systems_of(info.op);
    if (json) {
      list.push_back({{"name", info.name},
                      {"kind", kind_of(info)},
                      {"value", info.summary},
                      {"notes", info.notes},
                      {"definition", info.definition},
                      {"spaces", systems}});
    } else {
      fmt::print("{:<13} {:<7} {:<14} {}{}{}\n", info.name, kind_of(info), fmt::format("{}", fmt::join(systems, " ")),
                 info.summary, info.notes.empty() ? "" : "; ", info.notes);
    }
  }
  if (json) {
    print_json(list);
  } else {
    fmt::print(
        "\nlearnable factors: alpha, beta, gamma, param_3, ...: alpha(e) or alpha*e, alpha[0.25,neuron](e) with an "
        "initial value and a scope\n"
        "names that PyTorch, Keras and JAX have for these: actforge fn list --aliases\n");
  }
  return 0;
}

}  // namespace

VerbAction add_fn_list(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_flag("--aliases", options->aliases, "The names of PyTorch, Keras and JAX, and what they stand for");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return [options] { return options->aliases ? list_aliases(options->json) : list_operators(options->json); };
}

}  // namespace actforge::tool
