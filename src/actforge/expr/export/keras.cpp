// A Keras 3 layer written with keras.ops alone, so that it runs on every backend.
#include "actforge/expr/export/export.h"
#include "actforge/expr/export/header.h"
#include "actforge/expr/export/keras_layer.h"

namespace actforge {
namespace {

constexpr KerasDialect kDialect = {
    .decorator = "@keras.saving.register_keras_serializable(package=\"actforge\")",
    .cast = "ops.cast",
};

std::string write(const Expr& expr, const ExportOptions& options) {
  const StepProgram program = export_steps(expr, options);
  const std::string code = keras_layer(expr, program, options, kDialect);
  const std::string called = called_helpers(code, keras_helpers());
  const bool imports_ops = (called + code).find("ops.") != std::string::npos;
  return export_header(expr, program, options, "# ", kFasterKeras) + "\nimport keras\n" +
         (imports_ops ? "from keras import ops\n" : "") + "\n\n" + called + code;
}

}  // namespace

ExportTarget keras_target() {
  return {.name = "keras",
          .title = "Keras",
          .file_extension = ".py",
          .summary = "a Keras 3 layer for any backend",
          .write = write,
          .spelling = &Spelling::keras};
}

}  // namespace actforge
