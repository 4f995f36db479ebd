#include "actforge/expr/export_writers.h"
#include "actforge/expr/graph.h"
#include "actforge/expr/print.h"

namespace actforge {

std::string write_latex(const Expr& expr, const ExportOptions& options) {
  std::string text = "% " + to_call(expr) + "\n% Made by actforge.\n";
  for (const Parameter& parameter : all_parameters(expr)) {
    const Scope scope = options.scope.value_or(parameter.scope);
    text += "% " + parameter_name(parameter.index) + " starts at " + number_text(parameter.initial) + ", one per " +
            std::string(scope_name(scope)) + "\n";
  }
  return text + "\\[\n  f(x) = " + to_latex(expr) + "\n\\]\n";
}

}  // namespace actforge
