#pragma once

#include "actforge/expr/language/expr.h"
#include "actforge/store/store.h"

namespace actforge {

// Finds out what a strategy wants to know of functions before they are tried.
class FeatureProbe {
 public:
  virtual ~FeatureProbe() = default;
  // Measures a function and keeps the answer in the store. A function without valid features is an answer. Throws
  // Error (kStorage) where the store fails, kCancelled where it is told to stop; whatever else it throws is a failed
  // attempt: the function is measured again, and set aside after as many attempts as a trial has.
  virtual void measure(Store& store, const Expr& function) = 0;
};

}  // namespace actforge
