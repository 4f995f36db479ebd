// A torch.nn.Module. torch.jit.script takes it, and .double() makes it double precision throughout.
#include <vector>

#include "actforge/expr/export/export.h"
#include "actforge/expr/export/helpers.h"
#include "actforge/expr/export/python.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

std::span<const Helper> helpers() {
  static const std::vector<Helper> list = {
      {"_per_channel", R"(def _per_channel(parameter: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The parameter's values along dimension 1 of x."""
    return parameter.reshape([-1] + [1] * max(x.dim() - 2, 0))


)"},
      {"_sinc", R"(def _sinc(a: torch.Tensor) -> torch.Tensor:
    """sin(a)/a, by its series near 0, where the slope of the quotient cancels."""
    is_near = torch.abs(a) < 0.1
    s = torch.square(torch.where(is_near, a, torch.zeros_like(a)))
    series = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)))
    safe = torch.where(is_near, torch.ones_like(a), a)
    return torch.where(is_near, series, torch.sin(safe) / safe)


)"},
      {"_sqrt", R"(def _sqrt(a: torch.Tensor) -> torch.Tensor:
    """sqrt(a) with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    return torch.where(is_zero, torch.zeros_like(a), torch.sqrt(torch.where(is_zero, torch.ones_like(a), a)))


)"},
      {"_reciprocal", R"(def _reciprocal(a: torch.Tensor) -> torch.Tensor:
    """1/a with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    quotient = torch.reciprocal(torch.where(is_zero, torch.ones_like(a), a))
    return torch.where(is_zero, torch.reciprocal(a.detach()), quotient)


)"},
      {"_div_no_nan", R"(def _div_no_nan(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """a/b, or 0 with slopes 0 where b is 0."""
    is_zero = b == 0
    return torch.where(is_zero, torch.zeros_like(b), a / torch.where(is_zero, torch.ones_like(b), b))


)"},
      {"_pow", R"(def _pow(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """a**b; its slope with respect to b is 0 for a <= 0, and so are both where they would be infinite."""
    positive = a > 0
    singular = (a == 0) & (b < 1)
    one = torch.ones_like(a)
    fixed = b.detach()
    power = torch.pow(torch.where(positive, a, one), b)
    other = torch.pow(torch.where(positive | singular, one, a), fixed)
    return torch.where(positive, power, torch.where(singular, torch.pow(a.detach(), fixed), other))


)"},
  };
  return list;
}

std::string docstring(const Expr& expr, const StepProgram& program) {
  std::string text = "    \"\"\"f(x) = " + to_infix(expr);
  if (program.parameters.empty()) return text + "\"\"\"\n";
  text += "\n\n";
  if (has_scope(program, Scope::kChannel))
    text += "    num_channels: the size of dimension 1 of the input; None for one value that all channels share\n";
  if (has_scope(program, Scope::kNeuron))
    text += "    neuron_shape: the shape of the input without its batch dimension; None for one value that all share\n";
  for (const Parameter& parameter : program.parameters) {
    text += "    " + parameter_name(parameter.index) + ": learnable, one per " +
            std::string(scope_name(parameter.scope)) + ", from " + number_text(parameter.initial) + "\n";
  }
  return text + "    \"\"\"\n";
}

std::string constructor(const StepProgram& program) {
  if (program.parameters.empty()) return {};
  const std::string arguments = python_shape_arguments(program, "num_channels");
  std::string text = "\n    def __init__(self" + (arguments.empty() ? "" : ", " + arguments) + "):\n";
  text += "        super().__init__()\n";
  if (has_scope(program, Scope::kChannel))
    text += "        channel_shape = (1,) if num_channels is None else (num_channels,)\n";
  if (has_scope(program, Scope::kNeuron))
    text += "        neuron_shape = (1,) if neuron_shape is None else tuple(neuron_shape)\n";
  for (const Parameter& parameter : program.parameters) {
    constexpr std::string_view kShapes[] = {"(1,)", "channel_shape", "neuron_shape"};
    text += "        self." + parameter_name(parameter.index) + " = torch.nn.Parameter(torch.full(" +
            std::string(kShapes[static_cast<std::size_t>(parameter.scope)]) + ", " + python_number(parameter.initial) +
            "))\n";
  }
  return text;
}

std::string forward(const StepProgram& program) {
  std::string text = "\n    def forward(self, x):\n";
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (!program.uses(Operand::Kind::kParameter, i)) continue;
    const std::string name = parameter_name(program.parameters[i].index);
    const bool per_channel = program.parameters[i].scope == Scope::kChannel;
    text += "        " + name + " = " + (per_channel ? "_per_channel(self." + name + ", x)" : "self." + name) + "\n";
  }
  return text + python_body(program, {&Spelling::pytorch, "torch"}, 8);
}

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const std::string code = constructor(program) + forward(program);
  std::string text = python_header(expr) + "import torch\n";
  if (code.find(" F.") != std::string::npos || code.find("-F.") != std::string::npos)
    text += "import torch.nn.functional as F\n";
  return text + "\n\n" + called_helpers(code, helpers()) + "class " + options.name + "(torch.nn.Module):\n" +
         docstring(expr, program) + code;
}

}  // namespace

ExportTarget pytorch_target() {
  return {.name = "pytorch",
          .title = "PyTorch",
          .file_extension = ".py",
          .summary = "a torch.nn.Module",
          .write = write,
          .spelling = &Spelling::pytorch};
}

}  // namespace actforge
