#pragma once

#include <span>
#include <string>
#include <string_view>

#include "actforge/expr/export/helpers.h"
#include "actforge/expr/export/steps.h"

namespace actforge {

// What differs between Keras 2 and 3 in the class of a layer.
struct KerasDialect {
  std::string_view decorator;  // makes the class known to saved models
  std::string_view cast;       // a function of a tensor and a type
};

// The class, whose operators are those of keras.ops, called ops.
std::string keras_layer(const Expr& expr, const StepProgram& program, const ExportOptions& options,
                        const KerasDialect& dialect);

std::span<const Helper> keras_helpers();
// Those of them that keep slopes from being infinite or NaN: with other names for its functions, in other frameworks
// too.
std::span<const Helper> guarded_helpers();

inline constexpr std::string_view kFasterKeras =
    "model.compile(..., jit_compile=True) makes one pass over memory of its {n} operators. Measure both: on CPUs some "
    "are slower when compiled.";

}  // namespace actforge
