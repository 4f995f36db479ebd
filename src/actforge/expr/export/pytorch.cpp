// A torch.nn.Module. torch.jit.script takes it, and .double() makes it double precision throughout.
#include <vector>

#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/helpers.h"
#include "actforge/expr/export/python.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

std::span<const Helper> helpers() {
  static const std::vector<Helper> list = {
      {"_per_channel",
       R"py(def _per_channel(parameter: torch.Tensor, x: torch.Tensor, channel_dim: Optional[int]) -> torch.Tensor:
    """The parameter's values along that dimension of x."""
    if parameter.numel() == 1:
        return parameter
    dim = 1
    if channel_dim is not None:
        dim = channel_dim
    elif x.dim() == 3:
        raise ValueError(
            "x has 3 dimensions: say channel_dim=1 for (batch, channels, length), -1 for (batch, tokens, channels)")
    if dim < 0:
        dim += x.dim()
    if dim < 0 or dim >= x.dim() or x.size(dim) != parameter.numel():
        raise ValueError("channel_dim {} of x, of shape {}, is not of size {}".format(dim, x.shape, parameter.numel()))
    return parameter.reshape([-1] + [1] * (x.dim() - 1 - dim))


)py"},
      {"_like", R"(def _like(value: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """In the type of x: torch.autocast and half-precision inputs keep it."""
    return value.to(x.dtype) if x.is_floating_point() else value


)"},
      {"_bessel_i0e", R"(def _bessel_i0e(a: torch.Tensor) -> torch.Tensor:
    """In float32 where a is shorter: not every device has it for such types."""
    return torch.special.i0e(a.to(torch.promote_types(a.dtype, torch.float32))).to(a.dtype)


)"},
      {"_bessel_i1e", R"(def _bessel_i1e(a: torch.Tensor) -> torch.Tensor:
    """In float32 where a is shorter: not every device has it for such types."""
    return torch.special.i1e(a.to(torch.promote_types(a.dtype, torch.float32))).to(a.dtype)


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

constexpr std::string_view kFaster =
    "torch.compile({name}()) makes one pass over memory of its {n} operators. Measure both: on CPUs some are slower "
    "when compiled.";

std::string docstring(const Expr& expr, const StepProgram& program) {
  return python_docstring(expr, program) +
         R"(    The constructor is the same for every function that actforge exports; what this one has no use for is ignored.
    num_channels: the number of channels of the input; None for one value that all channels share
    neuron_shape: the shape of the input without its batch dimension; None for one value that all share
    channel_dim: the input's dimension that counts channels, -1 for (batch, tokens, channels); None for 1, where the
        input has other than 3 dimensions
    inplace: ignored, so that the class can stand where torch.nn.ReLU does
    """
)";
}

std::string constructor(const StepProgram& program) {
  std::string text =
      "\n    def __init__(self, num_channels=None, neuron_shape=None, channel_dim=None, inplace=False):\n"
      "        super().__init__()\n";
  if (has_scope(program, Scope::kChannel)) {
    text += "        self.channel_dim = channel_dim\n";
    text += "        channel_shape = (1,) if num_channels is None else (num_channels,)\n";
  }
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
    const std::string own = "_like(self." + name + ", x)";
    const bool per_channel = program.parameters[i].scope == Scope::kChannel;
    text += "        " + name + " = " + (per_channel ? "_per_channel(" + own + ", x, self.channel_dim)" : own) + "\n";
  }
  return text + python_body(program, {&Spelling::pytorch, "torch", "_like"}, 8);
}

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const std::string code = constructor(program) + forward(program);
  const std::string called = called_helpers(code, helpers());
  std::string text = export_header(expr, program, options, "# ", kFaster) + "\n";
  if (called.find("Optional[") != std::string::npos) text += "from typing import Optional\n\n";
  text += "import torch\n";
  if (code.find(" F.") != std::string::npos || code.find("-F.") != std::string::npos)
    text += "import torch.nn.functional as F\n";
  return text + "\n\n" + called + "class " + options.name + "(torch.nn.Module):\n" + docstring(expr, program) + code;
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
