#pragma once

#include <vector>

#include "actforge/base/random.h"
#include "actforge/expr/language/expr.h"

namespace actforge {

// A random expression of about `size` nodes over the whole operator table, with constants and parameters.
inline NodeId grow(ExprBuilder& builder, Random& random, std::size_t size) {
  if (size <= 1) {
    constexpr double kConstants[] = {0, -0.0, 1, -1, 2, 0.5, -2.5, 3};
    return random.below(4) == 0 ? builder.constant(kConstants[random.below(8)]) : builder.input();
  }
  if (random.below(8) == 0) {
    const auto index = static_cast<std::uint32_t>(random.below(4));
    const Parameter parameter{
        .index = index, .initial = index == 1 ? 0.75 : 1, .scope = index == 2 ? Scope::kLayer : Scope::kChannel};
    return builder.parameter(parameter, grow(builder, random, size - 1));
  }
  const OpInfo& info = op_table()[random.below(op_table().size())];
  const std::size_t arity = info.arity == kVariadic ? 1 + random.below(4) : static_cast<std::size_t>(info.arity);
  std::vector<NodeId> children;
  for (std::size_t i = 0; i < arity; ++i) children.push_back(grow(builder, random, 1 + random.below(size) / arity));
  return builder.apply(info.op, children);
}

inline Expr random_expr(Random& random, std::size_t size) {
  ExprBuilder builder;
  grow(builder, random, size);
  return builder.finish();
}

}  // namespace actforge
