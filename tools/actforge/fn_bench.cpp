#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/kernel.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::vector<std::string> expressions;
  std::size_t elements = 1 << 20;
  int rounds = 9;
  std::string target;
  bool json = false;
};

// The fastest of several rounds: what interrupts a round only ever makes it slower.
template <class Work>
double fastest_ns(const Options& options, Work work) {
  double best = 0;
  for (int round = 0; round <= options.rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    if (round == 1 || (round > 1 && took.count() < best)) best = took.count();  // the first one warms up
  }
  return best / static_cast<double>(options.elements);
}

int run(const Options& options) {
  std::vector<float> x(options.elements), y(options.elements), g(options.elements, 1.0f), dx(options.elements);
  Random random(1, 0, "bench");
  for (float& v : x) v = static_cast<float>(random.normal());
  const double copy = fastest_ns(options, [&] { std::copy(x.begin(), x.end(), y.begin()); });
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& text : options.expressions) {
    const Kernel kernel(read_expr(text), options.target);
    std::vector<float> gradients(kernel.parameters().size());
    std::vector<float*> outputs;
    for (float& gradient : gradients) outputs.push_back(&gradient);
    if (list.empty() && !options.json) {
      fmt::print("{} elements, one thread, {}, ns per element\n{:<44} {:>9} {:>17} {:>9}\n", options.elements,
                 kernel.target(), "expression", "forward", "forward+backward", "copy");
    }
    const auto forward = [&] { kernel.forward({.x = x, .y = y}); };
    const double forward_ns = fastest_ns(options, forward);
    const double both_ns = fastest_ns(options, [&] {
      forward();
      kernel.backward({.x = x, .grad_y = g, .grad_x = dx, .parameter_gradients = outputs});
    });
    list.push_back(
        {{"expression", text}, {"forward_ns", forward_ns}, {"forward_backward_ns", both_ns}, {"copy_ns", copy}});
    if (!options.json) fmt::print("{:<44} {:>9.3f} {:>17.3f} {:>9.3f}\n", text, forward_ns, both_ns, copy);
  }
  if (options.json) print_json(list);
  return 0;
}

}  // namespace

Run add_fn_bench(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  std::string targets;
  for (const std::string_view name : Kernel::targets()) targets += (targets.empty() ? "" : "|") + std::string(name);
  verb.add_option("EXPR", options->expressions, "One or more activation functions")->required();
  verb.add_option("--elements", options->elements, "Length of the tensor")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 28));
  verb.add_option("--rounds", options->rounds, "Rounds, of which the fastest counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  verb.add_option("--target", options->target, "Instruction set; the best one if not given")->type_name(targets);
  verb.add_flag("--json", options->json, "Answer in JSON: a list with one object per expression");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
