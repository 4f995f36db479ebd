// A layer of Keras 2, which is part of TensorFlow up to 2.15 and called tf_keras beside later ones.
#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/keras_layer.h"
#include "actforge/expr/export/tensorflow_names.h"

namespace actforge {
namespace {

constexpr KerasDialect kDialect = {
    .decorator = "@keras.utils.register_keras_serializable(package=\"actforge\")",
    .cast = "tf.cast",
};
constexpr std::string_view kImports = R"(
import tensorflow as tf

try:
    import tf_keras as keras  # beside TensorFlow 2.16 and later
except ImportError:
    keras = tf.keras


)";

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  return export_header(expr, program, options, "# ", kFasterKeras) + std::string(kImports) +
         in_tensorflow(keras_layer(expr, program, options, kDialect));
}

}  // namespace

ExportTarget keras2_target() {
  return {.name = "keras2",
          .title = "Keras 2",
          .file_extension = ".py",
          .summary = "a layer of Keras 2 (tf.keras)",
          .write = write,
          .spelling = &Spelling::keras};
}

}  // namespace actforge
