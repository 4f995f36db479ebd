#include <memory>

#include "actforge/expr/language/print.h"
#include "tools/actforge/space/offspring.h"

namespace actforge::tool {
namespace {

struct Options {
  OffspringOptions shared;
  std::string expression;
  std::string kind;
};

int run(const Options& options) {
  const Expr parent = read_expr(options.expression);
  const Space space = read_space(options.shared.space);
  std::optional<MutationKind> kind;
  if (!options.kind.empty()) kind = mutation_kind(options.kind);
  return print_offspring(options.shared, space, "mutate", nlohmann::json::array({to_call(parent)}),
                         [&](Random& random) { return mutate(space, parent, random, kind); });
}

}  // namespace

VerbAction add_space_mutate(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("EXPR", options->expression, "The parent")->required();
  verb.add_option("--kind", options->kind, "Only this mutation [the space's own choice]")
      ->type_name("insert|remove|change|regenerate");
  add_offspring_options(verb, options->shared);
  verb.footer(
      "In pangaea and other spaces of graphs all four are equally likely. A function with one node is changed where "
      "it\n"
      "would lose it; one above the limit of nodes always loses one. In unions of schemas one operator is changed\n"
      "(CAFE's mutation); regenerate stays in the space too. The parent's parameters are dropped, the child gets its "
      "own.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
