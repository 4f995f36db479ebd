#include <fmt/format.h>

#include <memory>

#include "actforge/expr/language/print.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string expression;
  std::string at = "-3,-2,-1,0,1,2,3";
  std::vector<std::string> parameters;
  bool json = false;
};

int run(const Options& options) {
  const Reference function = read_function(options.expression, options.parameters);
  const std::vector<double> points = read_numbers(options.at, "--at");
  nlohmann::json values = nlohmann::json::array(), slopes = nlohmann::json::array();
  if (!options.json) fmt::print("{:>12}  {:>24}  {:>24}\n", "x", "value", "derivative");
  for (const double x : points) {
    const auto at = function.at(x);
    const double value = at.value + 0.0, slope = at.slope + 0.0;  // -0 reads as 0
    values.push_back(number(value));
    slopes.push_back(number(slope));
    if (!options.json) fmt::print("{:>12}  {:>24}  {:>24}\n", number_text(x), number_text(value), number_text(slope));
  }
  if (options.json) print_json({{"values", values}, {"derivatives", slopes}});
  return 0;
}

}  // namespace

VerbAction add_fn_eval(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("EXPR", options->expression, "The activation function")->required();
  verb.add_option("--at", options->at, "Points, separated by commas: --at -2,0,1.5")
      ->capture_default_str()
      ->type_name("X,X,...");
  add_param_option(verb, options->parameters);
  verb.add_flag("--json", options->json,
                "Answer in JSON, {\"values\":[...],\"derivatives\":[...]}; null for NaN and infinities");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
