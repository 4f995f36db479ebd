#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "actforge/base/error.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/kernels/kernel_speed.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/properties.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string expression;
  bool json = false;
};

// The canonical form as text, or nothing where it is too large to be read.
std::string canonical_text(const Graph& graph) {
  try {
    return to_call(graph.to_expr());
  } catch (const Error&) {
    return {};
  }
}

nlohmann::json cost_json(const FunctionCost& cost, const SpeedAdvice& advice) {
  return {{"times_relu", number(cost.times_relu())},
          {"ns", number(cost.function)},
          {"relu_ns", number(cost.relu)},
          {"instruction_set", cost.target},
          {"operators", advice.operators},
          {"cheaper", advice.cheaper.empty() ? nlohmann::json(nullptr) : nlohmann::json(advice.cheaper)}};
}

nlohmann::json describe(const Expr& expr, const Graph& graph, const Properties& p, const FunctionCost& cost) {
  nlohmann::json parameters = nlohmann::json::array();
  for (const Parameter& parameter : graph.parameters()) {
    parameters.push_back({{"name", parameter_name(parameter.index)},
                          {"initial", parameter.initial},
                          {"scope", scope_name(parameter.scope)}});
  }
  nlohmann::json kinks = nlohmann::json::array();
  for (const Kink& kink : p.kinks) kinks.push_back({{"x", kink.x}, {"kind", kink.kind}});
  return {{"call", to_call(expr)},
          {"infix", to_infix(expr)},
          {"latex", to_latex(expr)},
          {"canonical", canonical_text(graph)},
          {"hash", graph.hash().hex()},
          {"nodes", expr.operator_count()},
          {"edges", expr.edge_count()},
          {"parameters", parameters},
          {"cost", cost_json(cost, speed_advice(expr))},
          {"properties",
           {{"monotone", p.monotone},
            {"bounded_below", p.bounded_below},
            {"bounded_above", p.bounded_above},
            {"infimum", p.bounded_below ? number(p.infimum) : nullptr},
            {"supremum", p.bounded_above ? number(p.supremum) : nullptr},
            {"even", p.even},
            {"odd", p.odd},
            {"defined_everywhere", p.defined},
            {"mean", number(p.mean)},
            {"zero_mean", p.zero_mean},
            {"kinks", kinks}}}};
}

std::string bounds_text(const Properties& p) {
  // Far from any rounding, a bound that is approached prints as the number it approaches.
  const auto shown = [](double v) { return fmt::format("{:.6g}", std::fabs(v) < 1e-12 ? 0.0 : v); };
  if (p.bounded_below && p.bounded_above) return fmt::format("yes, from {} to {}", shown(p.infimum), shown(p.supremum));
  if (p.bounded_below) return fmt::format("from below, by {}", shown(p.infimum));
  if (p.bounded_above) return fmt::format("from above, by {}", shown(p.supremum));
  return "no";
}

std::string kinks_text(const Properties& p) {
  if (p.kinks.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < p.kinks.size(); ++i) {
    if (i == 8) return text + fmt::format(" and {} more", p.kinks.size() - i);
    text += fmt::format("{}{} at {:.6g}", i == 0 ? "" : ", ", p.kinks[i].kind, p.kinks[i].x);
  }
  return text;
}

void print_text(const Expr& expr, const Graph& graph, const Properties& p, const FunctionCost& cost) {
  const auto row = [](std::string_view name, const std::string& value) { fmt::print("{:<12} {}\n", name, value); };
  row("call", to_call(expr));
  row("infix", to_infix(expr));
  row("latex", to_latex(expr));
  const std::string simplified = canonical_text(graph);
  row("canonical", simplified.empty() ? "(too large to print)" : simplified);
  row("hash", graph.hash().hex());
  row("nodes", std::to_string(expr.operator_count()));
  row("edges", std::to_string(expr.edge_count()));
  std::string parameters;
  for (const Parameter& q : graph.parameters()) {
    parameters += fmt::format("{}{} from {} per {}", parameters.empty() ? "" : ", ", parameter_name(q.index),
                              number_text(q.initial), scope_name(q.scope));
  }
  row("parameters", parameters.empty() ? "none" : parameters);
  row("monotone", std::string(p.monotone));
  row("bounded", bounds_text(p));
  row("symmetry", p.even && p.odd ? "zero" : p.even ? "even" : p.odd ? "odd" : "none");
  row("zero mean", std::isnan(p.mean) ? "no mean"
                   : p.zero_mean      ? "yes"
                                      : fmt::format("no, {:.6g} for standard normal x", p.mean));
  row("kinks", kinks_text(p));
  row("cost", cost_text(cost));
  const SpeedAdvice advice = speed_advice(expr);
  if (!advice.cheaper.empty()) row("cheaper", advice.cheaper + " has the same values");
  if (advice.operators > 1) {
    row("faster",
        fmt::format("torch.compile, jax.jit and XLA make one pass over memory of its {} operators; measure both",
                    advice.operators));
  }
  if (!p.defined) row("undefined", "NaN on part of the line");
}

}  // namespace

VerbAction add_fn_show(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("EXPR", options->expression, "The activation function")->required();
  verb.add_flag("--json", options->json, "Answer in JSON");
  verb.footer(
      "Properties are found by sampling, not proved; the cost is measured on this machine, while nothing else should "
      "run.");
  return [options] {
    const Expr expr = read_expr(options->expression);
    const Graph graph = canonical(expr);
    const Properties properties = properties_of(Reference(expr));
    const FunctionCost cost = measure_cost(expr);
    if (options->json) {
      print_json(describe(expr, graph, properties, cost));
    } else {
      print_text(expr, graph, properties, cost);
    }
    return 0;
  };
}

}  // namespace actforge::tool
