// A self-contained C++17 header: the value, and by reverse-mode differentiation all derivatives.
#include <cmath>

#include "actforge/base/number_text.h"
#include "actforge/expr/export/cpp_helpers.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/steps.h"
#include "actforge/expr/language/template_text.h"

namespace actforge {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "std::numeric_limits<T>::quiet_NaN()";
  if (std::isinf(value))
    return value < 0 ? "(-std::numeric_limits<T>::infinity())" : "std::numeric_limits<T>::infinity()";
  std::string text = number_text(value);
  if (text == "-0") text = "-0.0";  // the integer has no sign
  return "T(" + text + ")";
}

class Functions {
 public:
  explicit Functions(const StepProgram& program) : program_(program) {}

  std::string value() const {
    return "template <class T>\nT value(" + arguments() + ") {\n" + using_detail(forward()) + forward() + "  return " +
           text(program_.result) + ";\n}\n";
  }

  std::string gradient() const {
    const std::string body = forward() + backward();
    std::string result = "  return {" + text(program_.result) + ", ";
    result += program_.uses(Operand::Kind::kInput) ? "d_x" : "T(0)";
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      const bool used = program_.uses(Operand::Kind::kParameter, i);
      result += used ? ", d_" + parameter_name(program_.parameters[i].index) : ", T(0)";
    }
    return "template <class T>\nGradient<T> gradient(" + arguments() + ") {\n" + using_detail(body) + body + result +
           "};\n}\n";
  }

 private:
  std::string text(const Operand& operand) const { return operand_text(program_, operand, number); }

  static std::string using_detail(const std::string& body) {
    return called_helpers(body, cpp_helpers()).empty() ? "" : "  using namespace detail;\n";
  }

  bool uses_parameters() const {
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      if (program_.uses(Operand::Kind::kParameter, i)) return true;
    }
    return false;
  }

  std::string arguments() const {
    std::string list = program_.uses(Operand::Kind::kInput) ? "T x" : "T";
    if (program_.parameters.empty()) return list;
    return list + ", const Parameters<T>&" + (uses_parameters() ? " parameters" : "") + " = {}";
  }

  std::string forward() const {
    std::string lines;
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      if (!program_.uses(Operand::Kind::kParameter, i)) continue;
      const std::string name = parameter_name(program_.parameters[i].index);
      lines += "  const T " + name + " = parameters." + name + ";\n";
    }
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const ExportStep& step = program_.steps[i];
      lines += "  const T v" + std::to_string(i + 1) + " = " + filled(op_info(step.op).spelling.cpp, step, i) + ";\n";
    }
    return lines;
  }

  // d_v is the derivative of the result with respect to v; each step hands its own on to its operands.
  std::string backward() const {
    std::string lines;
    const std::string result = text(program_.result);
    const auto declare = [&](const std::string& name) {
      lines += "  T d_" + name + (name == result ? " = T(1);\n" : " = T(0);\n");
    };
    if (program_.uses(Operand::Kind::kInput)) declare("x");
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      if (program_.uses(Operand::Kind::kParameter, i)) declare(parameter_name(program_.parameters[i].index));
    }
    for (std::size_t i = 0; i < program_.steps.size(); ++i) declare("v" + std::to_string(i + 1));
    for (std::size_t i = program_.steps.size(); i-- > 0;) {
      const ExportStep& step = program_.steps[i];
      const Spelling& spelling = op_info(step.op).spelling;
      lines += handed_on(step.a, bound_slope(step), spelling.cpp_slope, i);
      if (step.b) lines += handed_on(*step.b, "", spelling.cpp_slope2, i);
    }
    return lines;
  }

  // At a tie with a constant the slope is 0, not half.
  static std::string_view bound_slope(const ExportStep& step) {
    if (!step.is_extremum() || !step.b || !step.b->is_constant()) return {};
    return step.op == Op::kMax ? "T({a} > {b})" : "T({a} < {b})";
  }

  std::string handed_on(const Operand& to, std::string_view special, std::string_view usual, std::size_t i) const {
    if (to.is_constant()) return {};
    const std::string slope = filled(special.empty() ? usual : special, program_.steps[i], i);
    const std::string from = "d_v" + std::to_string(i + 1);
    return "  d_" + text(to) + " += " + (slope == "T(1)" ? from : "chain(" + from + ", " + slope + ")") + ";\n";
  }

  std::string filled(std::string_view pattern, const ExportStep& step, std::size_t i) const {
    return fill_template(pattern, [&](std::string_view key) {
      if (key == "y") return "v" + std::to_string(i + 1);
      return text(key == "b" ? *step.b : step.a);
    });
  }

  const StepProgram& program_;
};

std::string structures(const StepProgram& program) {
  std::string text;
  if (!program.parameters.empty()) {
    text += "// Learnable. The initializers are the initial values.\ntemplate <class T>\nstruct Parameters {\n";
    for (const Parameter& parameter : program.parameters) {
      text += "  T " + parameter_name(parameter.index) + " = " + number(parameter.initial) + ";  // one per " +
              std::string(scope_name(parameter.scope)) + "\n";
    }
    text += "};\n\n";
  }
  text += "// The value, and its derivatives with respect to x and the parameters.\ntemplate <class T>\n";
  text += "struct Gradient {\n  T value;\n  T x;\n";
  for (const Parameter& parameter : program.parameters) text += "  T " + parameter_name(parameter.index) + ";\n";
  return text + "};\n\n";
}

constexpr std::string_view kFaster =
    "compile with -O3 -march=native; actforge::Kernel computes the function with SIMD instructions.";

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const Functions functions(program);
  const std::string code = functions.value() + "\n" + functions.gradient();
  const std::string helpers = called_helpers(code, cpp_helpers());
  std::string text = export_header(expr, program, options, "// ", kFaster);
  text += "#pragma once\n\n#include <cmath>\n#include <limits>\n\nnamespace " + options.name + " {\n\n";
  text += structures(program);
  if (!helpers.empty()) text += "namespace detail {\n\n" + helpers + "}  // namespace detail\n\n";
  return text + code + "\n}  // namespace " + options.name + "\n";
}

}  // namespace

ExportTarget cpp_target() {
  return {.name = "cpp",
          .title = "C++",
          .file_extension = ".h",
          .summary = "a C++17 header: value and gradient",
          .write = write,
          .spelling = &Spelling::cpp};
}

}  // namespace actforge
