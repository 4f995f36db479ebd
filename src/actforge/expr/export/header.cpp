#include "actforge/expr/export/header.h"

#include <algorithm>
#include <cmath>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"

namespace actforge {
namespace {

// Arguments that are no kinks of anything, near and far.
std::vector<double> places() {
  std::vector<double> list = {-1000.3, -100.7, 99.9, 1000.3};
  for (int i = 0; i < 120; ++i) list.push_back(-18.03 + 0.3001 * i);
  return list;
}

bool is_close(double a, double b) { return a == b || std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b)); }

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

std::string shorter_form(const Expr& expr, const StepProgram& program) {
  if (program.steps.size() < 2 || !program.parameters.empty()) return {};
  const Reference reference(expr);
  const std::vector<double> at = places();
  for (const OpInfo& row : op_table()) {
    if (row.arity != 1 || row.value == nullptr) continue;
    if (std::ranges::all_of(at, [&](double x) { return is_close(reference.value(x), row.value(x)); })) {
      return std::string(row.name) + "(x)";
    }
  }
  return {};
}

SpeedAdvice speed_advice(const Expr& expr) {
  const StepProgram program = export_steps(expr, {});
  return {.cheaper = shorter_form(expr, program), .operators = program.steps.size()};
}

std::string export_header(const Expr& expr, const StepProgram& program, const ExportOptions& options,
                          std::string_view mark, std::string_view faster) {
  std::string text;
  const auto add = [&](const std::string& line) { text += std::string(mark) + line + "\n"; };
  add(to_infix(expr));
  add("Call form: " + to_call(expr));
  if (options.cost) add("Cost, measured by actforge: " + cost_text(*options.cost) + ".");
  const std::string shorter = shorter_form(expr, program);
  if (!shorter.empty()) add("Cheaper: " + shorter + " has the same values.");
  if (!faster.empty() && program.steps.size() > 1) {
    const std::string count = std::to_string(program.steps.size());
    add("Faster: " + replaced(replaced(std::string(faster), "{name}", options.name), "{n}", count));
  }
  add("Made by actforge.");
  return text;
}

}  // namespace actforge
