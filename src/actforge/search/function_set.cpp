#include "actforge/search/function_set.h"

#include <algorithm>

#include "actforge/expr/graph.h"

namespace actforge {

FunctionSet::Key FunctionSet::key_of(const Expr& function) const {
  return {.canonical = canonical(function).hash(), .fingerprint = fingerprint_(function)};
}

std::size_t FunctionSet::add(Expr function, const Key& key) {
  const auto next = static_cast<std::uint32_t>(functions_.size());
  // kNone is more than any number.
  const std::uint32_t known = std::min(by_canonical_.find(key.canonical), by_fingerprint_.find(key.fingerprint));
  const std::uint32_t number = std::min(known, next);
  // Forms of equal functions are kept too: a third one may have the form of the second alone.
  by_canonical_.insert(key.canonical, number);
  by_fingerprint_.insert(key.fingerprint, number);
  if (number < next) return number;
  functions_.push_back(std::move(function));
  canonical_.push_back(key.canonical);
  return number;
}

}  // namespace actforge
