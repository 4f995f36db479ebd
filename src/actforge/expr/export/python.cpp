#include "actforge/expr/export/python.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/number_text.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/template_text.h"

namespace actforge {
namespace {

class Body {
 public:
  Body(const StepProgram& program, const PythonDialect& dialect) : program_(program), dialect_(dialect) {}

  std::string step(const ExportStep& step) const {
    if (step.is_extremum() && step.b && step.b->is_constant()) return bound(step, text(*step.b));
    const std::string_view pattern = op_info(step.op).spelling.*dialect_.spelling;
    // Helpers ask their arguments for more than arithmetic does.
    const bool arrays_only = pattern.starts_with('_') && step.b;
    return fill_template(pattern, [&](std::string_view key) {
      const bool first = key != "b";
      const Operand& own = first ? step.a : *step.b;
      if (!arrays_only || !own.is_constant()) return text(own);
      return call("full_like", text(first ? *step.b : step.a) + ", " + text(own));
    });
  }

  std::string result() const {
    const std::string value = text(program_.result);
    if (program_.result.is_constant()) return call("full_like", "x, " + value);
    std::string whole = program_.uses_input ? value : call("zeros_like", "x") + " + " + value;
    if (dialect_.result.empty() || program_.result.kind == Operand::Kind::kInput) return whole;
    return std::string(dialect_.result) + "(" + whole + ", x)";
  }

 private:
  // At a tie with a constant the slope is 0, and NaN passes through: clip and maximum differ there.
  std::string bound(const ExportStep& step, const std::string& limit) const {
    const std::string value = text(step.a);
    return call("where", value + (step.op == Op::kMax ? " <= " : " >= ") + limit + ", " +
                             call("full_like", value + ", " + limit) + ", " + value);
  }

  std::string call(std::string_view function, const std::string& arguments) const {
    return std::string(dialect_.arrays) + "." + std::string(function) + "(" + arguments + ")";
  }

  std::string text(const Operand& operand) const { return operand_text(program_, operand, python_number); }

  const StepProgram& program_;
  const PythonDialect& dialect_;
};

}  // namespace

std::string python_number(double value) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "-float(\"inf\")";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string python_body(const StepProgram& program, const PythonDialect& dialect, int indent) {
  const Body body(program, dialect);
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    text += margin + "v" + std::to_string(i + 1) + " = " + body.step(program.steps[i]) + "\n";
  }
  return text + margin + "return " + body.result() + "\n";
}

std::string python_docstring(const Expr& expr, const StepProgram& program) {
  std::string text = "    \"\"\"f(x) = " + to_infix(expr) + "\n\n";
  for (const Parameter& parameter : program.parameters) {
    text += "    " + parameter_name(parameter.index) + ": learnable, one per " +
            std::string(scope_name(parameter.scope)) + ", from " + number_text(parameter.initial) + "\n";
  }
  return program.parameters.empty() ? text : text + "\n";
}

bool has_scope(const StepProgram& program, Scope scope) {
  return std::ranges::find(program.parameters, scope, &Parameter::scope) != program.parameters.end();
}

std::string python_shape_arguments(const StepProgram& program, std::string_view channels) {
  std::string text;
  if (has_scope(program, Scope::kChannel)) text += std::string(channels) + "=None";
  if (has_scope(program, Scope::kNeuron)) text += std::string(text.empty() ? "" : ", ") + "neuron_shape=None";
  return text;
}

}  // namespace actforge
