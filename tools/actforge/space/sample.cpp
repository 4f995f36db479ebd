#include <fmt/format.h>

#include <memory>

#include "actforge/expr/language/print.h"
#include "actforge/space/sample.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {
namespace {

struct Options {
  SpaceOptions space;
  std::uint64_t count = 10;
  std::uint64_t seed = 0;
  bool initial = false;
  bool json = false;
};

int run(const Options& options) {
  const Space space = read_space(options.space);
  check_json_size(options.json, options.count);
  nlohmann::json functions = nlohmann::json::array();
  for (std::uint64_t i = 0; i < options.count; ++i) {
    Random random(options.seed, i, "sample");
    const auto [expr, drawn] = draw_function(space, random, options.initial ? Draw::kInitial : Draw::kUniform);
    if (!options.json) {
      write_output(to_call(expr) + "\n");
      continue;
    }
    const std::optional<Integer> index = drawn ? drawn : space.index_of(expr);
    functions.push_back(
        {{"index", index ? integer_json(*index) : nlohmann::json(nullptr)}, {"expression", to_call(expr)}});
  }
  if (options.json) print_json({{"space", space.name()}, {"seed", options.seed}, {"functions", functions}});
  return 0;
}

}  // namespace

VerbAction add_space_sample(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  add_space_argument(verb, options->space);
  add_require(verb, options->space);
  add_whole_number(verb, "--count", options->count, "How many functions");
  add_whole_number(verb, "--seed", options->seed, "Same seed, same functions");
  verb.add_flag("--initial", options->initial,
                "As PANGAEA's first population: unary(unary(x)) or binary(unary(x),unary(x)), then parameters");
  verb.add_flag("--json", options->json, "Answer in JSON");
  verb.footer("Without --initial every function of the space is equally likely; the same one may come twice.");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
