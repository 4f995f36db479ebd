#include <fmt/format.h>

#include <memory>

#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/kernels/kernel_speed.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::vector<std::string> expressions;
  SpeedOptions speed;
  bool json = false;
};

int run(const Options& options) {
  if (!options.json) {
    const Kernel first(read_expr(options.expressions[0]), options.speed.target);
    fmt::print("{} elements, one thread, {}, ns per element\n{:<44} {:>9} {:>17} {:>9}\n", options.speed.elements,
               first.target(), "expression", "forward", "forward+backward", "copy");
  }
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& text : options.expressions) {
    const KernelSpeed speed = measure_speed(read_expr(text), options.speed);
    list.push_back({{"expression", text},
                    {"forward_ns", speed.forward},
                    {"forward_backward_ns", speed.forward_backward},
                    {"copy_ns", speed.copy}});
    if (!options.json) {
      fmt::print("{:<44} {:>9.3f} {:>17.3f} {:>9.3f}\n", text, speed.forward, speed.forward_backward, speed.copy);
    }
  }
  if (options.json) print_json(list);
  return 0;
}

}  // namespace

VerbAction add_fn_bench(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  std::string targets;
  for (const std::string_view name : Kernel::targets()) targets += (targets.empty() ? "" : "|") + std::string(name);
  verb.add_option("EXPR", options->expressions, "One or more activation functions")->required();
  verb.add_option("--elements", options->speed.elements, "Length of the tensor")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 28));
  verb.add_option("--rounds", options->speed.rounds, "Rounds, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  verb.add_option("--target", options->speed.target, "Instruction set; the best one if not given")->type_name(targets);
  verb.add_flag("--json", options->json, "Answer in JSON: a list with one object per expression");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
