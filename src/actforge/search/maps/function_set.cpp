#include "actforge/search/maps/function_set.h"

namespace actforge {

std::size_t FunctionSet::add(Expr function, const FunctionKey& key) {
  const auto next = static_cast<std::uint32_t>(functions_.size());
  const std::uint32_t number = index_.find(key).value_or(next);
  index_.add(key, number);
  if (number == next) functions_.push_back(std::move(function));
  return number;
}

}  // namespace actforge
