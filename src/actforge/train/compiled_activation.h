#pragma once

#include "actforge/expr/graph.h"
#include "actforge/expr/kernel.h"

namespace actforge {

// What all layers with one activation function share.
struct CompiledActivation {
  explicit CompiledActivation(const Expr& expr) : graph(canonical(expr)), kernel(expr) {}

  Graph graph;
  Kernel kernel;
};

}  // namespace actforge
