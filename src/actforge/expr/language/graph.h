#pragma once

#include <span>
#include <vector>

#include "actforge/base/hash.h"
#include "actforge/expr/language/expr.h"

namespace actforge {

struct GraphNode {
  NodeKind kind = NodeKind::kInput;
  Op op = Op::kIdentity;
  std::uint32_t slot = 0;  // of a parameter: its place in Graph::parameters()
  double constant = 0;
  std::vector<NodeId> args = {};
  Hash128 hash = {};
};

// The canonical form: named functions expanded, constants folded, arguments of commutative operators sorted, identities
// applied, equal subexpressions shared. Two expressions whose graphs have the same hash are the same function. It has
// the value of the expression for every input, ±0, ±inf and NaN included (a test holds it to that, bit for bit in
// double precision), and the slope wherever there is one.
class Graph {
 public:
  std::span<const GraphNode> nodes() const { return nodes_; }  // arguments before their users
  const GraphNode& node(NodeId id) const { return nodes_[id]; }
  NodeId root() const { return root_; }
  // All learnable parameters: the expression's own, then those of its named functions, in order of appearance.
  std::span<const Parameter> parameters() const { return parameters_; }
  const Hash128& hash() const { return nodes_[root_].hash; }

  // The same function as text-like tree. Throws Error when sharing made the tree larger than an expression may be.
  Expr to_expr() const;

 private:
  friend class CanonicalPool;
  std::vector<GraphNode> nodes_;
  std::vector<Parameter> parameters_;
  NodeId root_ = 0;
};

Graph canonical(const Expr& expr);

// An expression's own parameters, then those of its named functions with names of their own.
std::vector<Parameter> all_parameters(const Expr& expr);

// The body of a named function such as elish or prelu; null for an operator.
const Expr* definition_of(Op op);

}  // namespace actforge
