#pragma once

#include "actforge/expr/language/expr.h"
#include "actforge/store/store.h"

namespace actforge {

// Finds out what a strategy wants to know of functions before they are tried.
class FeatureProbe {
 public:
  virtual ~FeatureProbe() = default;
  // Measures a function and keeps the answer in the store. Throws Error where it is not the function's fault.
  virtual void measure(Store& store, const Expr& function) = 0;
};

}  // namespace actforge
