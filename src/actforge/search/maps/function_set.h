#pragma once

#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/space/function_key.h"

namespace actforge {

// Different functions, in the order in which they came: for hundreds of thousands of them.
class FunctionSet {
 public:
  // The number of the function: its own, or that of the equal one that came before.
  std::size_t add(Expr function) {
    const FunctionKey key = keys_(function);
    return add(std::move(function), key);
  }
  // For who knows the key.
  std::size_t add(Expr function, const FunctionKey& key);

  std::size_t size() const { return functions_.size(); }
  const std::vector<Expr>& functions() const { return functions_; }

 private:
  std::vector<Expr> functions_;
  FunctionIndex index_;
  FunctionKeys keys_;
};

}  // namespace actforge
