// A pure function of x and a dictionary of parameters. Channels come last, as in Flax.
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
      {"_like", R"(def _like(value, x):
    """In the type of x, so that short types stay short."""
    dtype = jnp.result_type(x)
    return value.astype(dtype) if jnp.issubdtype(dtype, jnp.floating) else value


)"},
      {"_sinc", R"(def _sinc(a):
    """sin(a)/a, by its series near 0, where the slope of the quotient cancels."""
    is_near = jnp.abs(a) < 0.1
    s = jnp.square(jnp.where(is_near, a, jnp.zeros_like(a)))
    series = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)))
    safe = jnp.where(is_near, jnp.ones_like(a), a)
    return jnp.where(is_near, series, jnp.sin(safe) / safe)


)"},
      {"_sqrt", R"(def _sqrt(a):
    """sqrt(a) with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    return jnp.where(is_zero, jnp.zeros_like(a), jnp.sqrt(jnp.where(is_zero, jnp.ones_like(a), a)))


)"},
      {"_reciprocal", R"(def _reciprocal(a):
    """1/a with slope 0 at 0, so that a locally constant argument does not make NaN of an infinite one."""
    is_zero = a == 0
    quotient = 1.0 / jnp.where(is_zero, jnp.ones_like(a), a)
    return jnp.where(is_zero, 1.0 / jax.lax.stop_gradient(a), quotient)


)"},
      {"_div_no_nan", R"(def _div_no_nan(a, b):
    """a/b, or 0 with slopes 0 where b is 0."""
    is_zero = b == 0
    return jnp.where(is_zero, jnp.zeros_like(b), a / jnp.where(is_zero, jnp.ones_like(b), b))


)"},
      {"_pow", R"(def _pow(a, b):
    """a**b; its slope with respect to b is 0 for a <= 0, and so are both where they would be infinite."""
    positive = a > 0
    singular = (a == 0) & (b < 1)
    one = jnp.ones_like(a)
    fixed = jax.lax.stop_gradient(b)
    power = jnp.power(jnp.where(positive, a, one), b)
    other = jnp.power(jnp.where(positive | singular, one, a), fixed)
    return jnp.where(positive, power, jnp.where(singular, jnp.power(jax.lax.stop_gradient(a), fixed), other))


)"},
  };
  return list;
}

constexpr std::string_view kFaster = "jax.jit makes one pass over memory of its {n} operators.";

std::string parameter_maker(const StepProgram& program) {
  std::string text = "def init_params(" + python_shape_arguments(program, "channels") + "):\n";
  text += "    \"\"\"The learnable parameters at their initial values.\n\n";
  for (const Parameter& parameter : program.parameters) {
    text += "    " + parameter_name(parameter.index) + ": one per " + std::string(scope_name(parameter.scope)) + "\n";
  }
  if (has_scope(program, Scope::kChannel))
    text += "    channels: the size of the input's last dimension; None for one value that all channels share\n";
  if (has_scope(program, Scope::kNeuron))
    text += "    neuron_shape: the shape of the input without its batch dimension; None for one value that all share\n";
  text += "    \"\"\"\n";
  if (has_scope(program, Scope::kChannel)) text += "    channel_shape = (1,) if channels is None else (channels,)\n";
  if (has_scope(program, Scope::kNeuron))
    text += "    neuron_shape = (1,) if neuron_shape is None else tuple(neuron_shape)\n";
  text += "    return {\n";
  for (const Parameter& parameter : program.parameters) {
    constexpr std::string_view kShapes[] = {"(1,)", "channel_shape", "neuron_shape"};
    text += "        \"" + parameter_name(parameter.index) + "\": jnp.full(" +
            std::string(kShapes[static_cast<std::size_t>(parameter.scope)]) + ", " + python_number(parameter.initial) +
            "),\n";
  }
  return text + "    }\n\n\n";
}

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const bool has_parameters = !program.parameters.empty();
  std::string code = has_parameters ? parameter_maker(program) : "";
  code += "def " + options.name + (has_parameters ? "(x, params):\n" : "(x):\n");
  code += "    \"\"\"f(x) = " + to_infix(expr) + "\"\"\"\n";
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (!program.uses(Operand::Kind::kParameter, i)) continue;
    const std::string name = parameter_name(program.parameters[i].index);
    code += "    " + name + " = _like(params[\"" + name + "\"], x)\n";
  }
  code += python_body(program, {&Spelling::jax, "jnp"}, 4);
  const std::string called = called_helpers(code, helpers());
  const bool imports_jax = (called + code).find("jax.") != std::string::npos;
  return export_header(expr, program, options, "# ", kFaster) + "\n" + (imports_jax ? "import jax\n" : "") +
         "import jax.numpy as jnp\n\n\n" + called + code;
}

}  // namespace

ExportTarget jax_target() {
  return {.name = "jax",
          .title = "JAX",
          .file_extension = ".py",
          .summary = "a function, and one that makes its parameters",
          .write = write,
          .spelling = &Spelling::jax};
}

}  // namespace actforge
