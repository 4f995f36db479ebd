#include <memory>

#include "actforge/expr/language/print.h"
#include "tools/actforge/space/offspring.h"

namespace actforge::tool {
namespace {

struct Options {
  OffspringOptions shared;
  std::string first, second;
};

int run(const Options& options) {
  const Expr first = read_expr(options.first), second = read_expr(options.second);
  const Space space = read_space(options.shared.space);
  return print_offspring(options.shared, space, "cross", nlohmann::json::array({to_call(first), to_call(second)}),
                         [&](Random& random) { return cross(space, first, second, random); });
}

}  // namespace

VerbAction add_space_cross(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("FIRST", options->first, "The parent that the child resembles")->required();
  verb.add_option("SECOND", options->second, "The parent that gives a subtree")->required();
  add_offspring_options(verb, options->shared);
  verb.footer(
      "A subtree of the second takes the place of one of the first with the same schema; never the whole tree.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
