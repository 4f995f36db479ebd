#pragma once

#include <vector>

#include "actforge/base/hash_index.h"
#include "actforge/expr/expr.h"
#include "actforge/space/fingerprint.h"

namespace actforge {

// Different functions, in the order in which they came. Equal are those with the same canonical form or the same
// values, as in a study (FunctionKeys in trial_log.h): for hundreds of thousands of functions.
class FunctionSet {
 public:
  struct Key {
    Hash128 canonical = {};
    Hash128 fingerprint = {};
  };
  Key key_of(const Expr& function) const;

  // The number of the function: its own, or that of the equal one that came before.
  std::size_t add(Expr function) {
    const Key key = key_of(function);
    return add(std::move(function), key);
  }
  // For who knows the key.
  std::size_t add(Expr function, const Key& key);

  std::size_t size() const { return functions_.size(); }
  const std::vector<Expr>& functions() const { return functions_; }
  // Of the canonical form.
  const Hash128& canonical_hash(std::size_t number) const { return canonical_[number]; }

 private:
  std::vector<Expr> functions_;
  std::vector<Hash128> canonical_;
  HashIndex by_canonical_, by_fingerprint_;
  Fingerprinter fingerprint_;
};

}  // namespace actforge
