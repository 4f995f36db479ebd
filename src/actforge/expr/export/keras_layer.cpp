// The class of a layer, which Keras 2 and 3 write alike. Channels come last.
#include "actforge/expr/export/keras_layer.h"

#include "actforge/expr/export/python.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

std::string builder(const StepProgram& program) {
  if (program.parameters.empty()) return {};
  std::string text = "\n    def build(self, input_shape):\n";
  const bool per_neuron = has_scope(program, Scope::kNeuron);
  if (per_neuron || has_scope(program, Scope::kChannel)) {
    text += per_neuron ? "        if None in input_shape[1:]:\n" : "        if input_shape[-1] is None:\n";
    text += std::string("            raise ValueError(f\"parameters per ") + (per_neuron ? "neuron" : "channel") +
            " need a known input shape, not {input_shape}\")\n";
  }
  for (const Parameter& parameter : program.parameters) {
    constexpr std::string_view kShapes[] = {"(1,)", "(input_shape[-1],)", "tuple(input_shape[1:])"};
    const std::string name = parameter_name(parameter.index);
    text += "        self." + name + " = self.add_weight(\n            name=\"" + name +
            "\", shape=" + std::string(kShapes[static_cast<std::size_t>(parameter.scope)]) +
            ", initializer=keras.initializers.Constant(" + python_number(parameter.initial) + "))\n";
  }
  return text;
}

std::string caller(const StepProgram& program, const KerasDialect& dialect) {
  std::string text = "\n    def call(self, x):\n";
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (!program.uses(Operand::Kind::kParameter, i)) continue;
    const std::string name = parameter_name(program.parameters[i].index);
    text += "        " + name + " = " + std::string(dialect.cast) + "(self." + name + ", x.dtype)\n";
  }
  return text + python_body(program, {&Spelling::keras, "ops"}, 8) +
         "\n    def compute_output_shape(self, input_shape):\n        return input_shape\n";
}

std::string docstring(const Expr& expr, const StepProgram& program) {
  std::string text = "    \"\"\"f(x) = " + to_infix(expr);
  if (program.parameters.empty()) return text + "\"\"\"\n";
  text += "\n\n";
  for (const Parameter& parameter : program.parameters) {
    text += "    " + parameter_name(parameter.index) + ": learnable, one per " +
            std::string(scope_name(parameter.scope)) + (parameter.scope == Scope::kChannel ? " (last axis)" : "") +
            ", from " + number_text(parameter.initial) + "\n";
  }
  return text + "    \"\"\"\n";
}

}  // namespace

std::string keras_layer(const Expr& expr, const StepProgram& program, const ExportOptions& options,
                        const KerasDialect& dialect) {
  return std::string(dialect.decorator) + "\nclass " + options.name + "(keras.layers.Layer):\n" +
         docstring(expr, program) + builder(program) + caller(program, dialect);
}

}  // namespace actforge
