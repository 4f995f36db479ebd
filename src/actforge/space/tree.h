#pragma once

#include <optional>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

// An activation function that can be cut and grafted: operators over x and constants, without its parameters. Every
// node has exactly one edge above it, to its parent or to the output; an edge is named by the node's place in
// pre-order, the output edge being 0.
struct Tree {
  NodeKind kind = NodeKind::kInput;
  Op op = Op::kIdentity;
  double constant = 0;
  std::vector<Tree> children = {};

  static Tree input() { return {}; }
  static Tree apply(Op op, std::vector<Tree> children) {
    return {.kind = NodeKind::kOperator, .op = op, .children = std::move(children)};
  }
  std::size_t operator_count() const;
  bool operator==(const Tree&) const = default;
};

// The nodes in pre-order. Pointers into the tree: good until it changes.
std::vector<Tree*> nodes_of(Tree& tree);
std::vector<const Tree*> nodes_of(const Tree& tree);

// A learnable factor on an edge.
struct EdgeParameter {
  std::size_t edge = 0;
  Parameter parameter = {};
  bool operator==(const EdgeParameter&) const = default;
};

struct ParameterisedTree {
  Tree tree;
  std::vector<EdgeParameter> parameters;  // by edge; two on one edge where the expression has them
};

ParameterisedTree tree_of(const Expr& expr);
// PANGAEA's parameters on these edges (in ascending order): alpha, beta, gamma from the output down, each from one.
Expr expr_of(const Tree& tree, const std::vector<std::size_t>& parameter_edges = {});

}  // namespace actforge
