#pragma once

#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/graph.h"

namespace actforge {

// What all layers with one activation function share.
struct CompiledActivation {
  explicit CompiledActivation(const Expr& expr) : graph(canonical(expr)), kernel(expr) {}

  Graph graph;
  Kernel kernel;
};

}  // namespace actforge
