// A tf.Module, for TensorFlow without Keras. Channels come last.
#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/python.h"
#include "actforge/expr/export/tensorflow_names.h"
#include "actforge/expr/language/print.h"

namespace actforge {
namespace {

constexpr std::string_view kFaster =
    "tf.function({name}(), jit_compile=True) makes one pass over memory of its {n} operators. Measure both: on CPUs "
    "some are slower when compiled.";

std::string docstring(const Expr& expr, const StepProgram& program) {
  return python_docstring(expr, program) +
         R"(    The constructor is the same for every function that actforge exports; what this one has no use for is ignored.
    channels: the size of the input's last dimension; None for one value that all channels share
    neuron_shape: the shape of the input without its batch dimension; None for one value that all share
    dtype: of the parameters; the result has the type of x
    """
)";
}

std::string constructor(const StepProgram& program) {
  std::string text = "\n    def __init__(self, channels=None, neuron_shape=None, dtype=tf.float32, name=None):\n";
  text += "        super().__init__(name=name)\n";
  if (has_scope(program, Scope::kChannel))
    text += "        channel_shape = (1,) if channels is None else (channels,)\n";
  if (has_scope(program, Scope::kNeuron))
    text += "        neuron_shape = (1,) if neuron_shape is None else tuple(neuron_shape)\n";
  for (const Parameter& parameter : program.parameters) {
    constexpr std::string_view kShapes[] = {"(1,)", "channel_shape", "neuron_shape"};
    const std::string name = parameter_name(parameter.index);
    text += "        self." + name + " = tf.Variable(tf.fill(" +
            std::string(kShapes[static_cast<std::size_t>(parameter.scope)]) + ", " + "tf.constant(" +
            python_number(parameter.initial) + ", dtype)), name=\"" + name + "\")\n";
  }
  return text;
}

std::string caller(const StepProgram& program) {
  std::string text = "\n    def __call__(self, x):\n";
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (!program.uses(Operand::Kind::kParameter, i)) continue;
    const std::string name = parameter_name(program.parameters[i].index);
    text += "        " + name + " = tf.cast(self." + name + ", x.dtype)\n";
  }
  return text + python_body(program, {&Spelling::keras, "ops"}, 8);
}

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  return export_header(expr, program, options, "# ", kFaster) + "\nimport tensorflow as tf\n\n\n" +
         in_tensorflow("class " + options.name + "(tf.Module):\n" + docstring(expr, program) + constructor(program) +
                       caller(program));
}

}  // namespace

ExportTarget tensorflow_target() {
  return {.name = "tensorflow",
          .title = "TensorFlow",
          .file_extension = ".py",
          .summary = "a tf.Module",
          .write = write,
          .spelling = &Spelling::keras};
}

}  // namespace actforge
