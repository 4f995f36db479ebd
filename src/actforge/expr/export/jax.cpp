// A pure function of x and a dictionary of parameters. Channels come last, as in Flax.
#include <vector>

#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/helpers.h"
#include "actforge/expr/export/keras_layer.h"
#include "actforge/expr/export/python.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

std::string in_jax(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"ops.stop_gradient", "jax.lax.stop_gradient"},
                                                                      {"ops.", "jnp."}};
  for (const auto& [keras, jax] : kNames) {
    for (std::size_t at = 0; (at = text.find(keras, at)) != std::string::npos; at += jax.size()) {
      text.replace(at, keras.size(), jax);
    }
  }
  return text;
}

std::vector<Helper> make_helpers() {
  std::vector<Helper> list = {
      {"_like", R"(def _like(value, x):
    """In the type of x, so that short types stay short."""
    dtype = jnp.result_type(x)
    return value.astype(dtype) if jnp.issubdtype(dtype, jnp.floating) else value


)"},
  };
  for (const Helper& helper : guarded_helpers()) list.push_back({helper.name, in_jax(helper.source)});
  return list;
}

std::span<const Helper> helpers() {
  static const std::vector<Helper> list = make_helpers();
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
