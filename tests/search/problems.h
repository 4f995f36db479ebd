#pragma once

#include "actforge/space/space.h"

namespace actforge {

inline std::vector<Op> tame_unary() {
  return {Op::kRelu, Op::kTanh, Op::kSigmoid, Op::kSin, Op::kAbs, Op::kSoftplus, Op::kArcsinh, Op::kErf};
}

inline std::vector<Op> tame_binary() { return {Op::kAdd, Op::kSub, Op::kMul, Op::kMax}; }

// Operators that make no function undefined and few equal: 8 unary and 4 binary ones.
inline Space tame_graphs(int nodes, int parameters = 0) {
  return Space({.name = "tame graphs",
                .unary = tame_unary(),
                .binary = tame_binary(),
                .max_nodes = nodes,
                .parameters = parameters});
}

// Like CAFE's S_2.
inline Space tame_trees() {
  return Space({.name = "tame trees",
                .unary = tame_unary(),
                .binary = tame_binary(),
                .schemas = {"binary(unary(binary(unary(x),unary(x))),unary(binary(unary(x),unary(x))))"}});
}

}  // namespace actforge
