#pragma once

#include <span>
#include <vector>

#include "actforge/base/hash_index.h"
#include "actforge/expr/language/graph.h"

namespace actforge {

inline constexpr std::size_t kLargestPool = std::size_t{1} << 24;

// Canonical forms of many expressions that share their parts: a node that is there already is found, not made again.
// Graph is one expression's share of a pool.
class CanonicalPool {
 public:
  using Args = std::vector<NodeId>;

  // Where -0 and +0 are the same to every operator, more rules hold: canonical() uses them where it may.
  explicit CanonicalPool(bool zero_sign_matters, std::vector<Parameter> parameters = {})
      : parameters_(std::move(parameters)), zero_sign_matters_(zero_sign_matters) {}

  NodeId input() { return intern({.kind = NodeKind::kInput}); }
  NodeId constant(double value);
  NodeId parameter(std::uint32_t slot, NodeId child);
  // An operator of the table; `first_slot` is where the parameters of a named function begin.
  NodeId apply(Op op, Args args, std::uint32_t first_slot = 0);
  // A whole expression; its named functions' parameters follow its own, in order of appearance.
  NodeId convert(const Expr& expr);

  const GraphNode& node(NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  // Forgets all nodes from `size` on.
  void truncate(std::size_t size);
  // Whether -0 and +0 anywhere inside could make a difference to the value.
  bool tells_zeros_apart(NodeId id) const { return tells_zeros_apart_[id]; }
  // What belongs to one root.
  Graph extract(NodeId root) const;

 private:
  NodeId intern(GraphNode node);
  template <class SlotOf>
  NodeId convert(const Expr& expr, NodeId x, std::uint32_t& next_slot, SlotOf slot_of);
  NodeId plain(Op op, Args args) { return intern({.kind = NodeKind::kOperator, .op = op, .args = std::move(args)}); }

  const GraphNode& at(NodeId id) const { return nodes_[id]; }
  NodeId arg(NodeId id, std::size_t i) const { return at(id).args[i]; }
  bool is(NodeId id, Op op) const { return at(id).kind == NodeKind::kOperator && at(id).op == op; }
  bool is_constant(NodeId id) const { return at(id).kind == NodeKind::kConstant; }
  bool is_value(NodeId id, double value) const;  // bit for bit: -0 is not 0
  bool is_zero(NodeId id) const { return is_constant(id) && at(id).constant == 0; }
  bool is_nonnegative(NodeId id) const { return at(id).kind == NodeKind::kOperator && op_info(at(id).op).nonnegative; }
  void sort(Args& args) const;

  NodeId make(Op op, Args args);
  NodeId fold(Op op, const Args& args);
  NodeId unary(Op op, NodeId a);
  NodeId negative(NodeId a);
  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b);
  NodeId mul(NodeId a, NodeId b);
  NodeId div(NodeId a, NodeId b);
  NodeId quotient(Op op, NodeId a, NodeId b);
  NodeId pow(NodeId a, NodeId b);
  NodeId extremum(bool maximum, const Args& given);
  NodeId chain(Op op, Args args);

  std::vector<GraphNode> nodes_;
  std::vector<bool> tells_zeros_apart_;
  std::vector<Parameter> parameters_;
  HashIndex known_;
  bool zero_sign_matters_;
};

}  // namespace actforge
