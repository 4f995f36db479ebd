#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

std::string write(const Expr& expr, const ExportOptions& options) {
  std::string text = export_header(expr, export_steps(expr, options), options, "% ", {});
  for (const Parameter& parameter : all_parameters(expr)) {
    const Scope scope = options.scope.value_or(parameter.scope);
    text += "% " + parameter_name(parameter.index) + " starts at " + number_text(parameter.initial) + ", one per " +
            std::string(scope_name(scope)) + "\n";
  }
  return text + "\\[\n  f(x) = " + to_latex(expr) + "\n\\]\n";
}

}  // namespace

ExportTarget latex_target() {
  return {.name = "latex",
          .title = "LaTeX",
          .file_extension = ".tex",
          .summary = "a displayed equation",
          .write = write,
          .spelling = &Spelling::latex};
}

}  // namespace actforge
