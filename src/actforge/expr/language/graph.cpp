#include "actforge/expr/language/graph.h"

#include <map>

#include "actforge/expr/language/parse.h"

namespace actforge {

const Expr* definition_of(Op op) {
  static const auto bodies = [] {
    std::map<Op, Expr> map;
    for (const OpInfo& row : op_table()) {
      if (!row.definition.empty()) map.emplace(row.op, parse(row.definition));
    }
    return map;
  }();
  const auto found = bodies.find(op);
  return found == bodies.end() ? nullptr : &found->second;
}

std::vector<Parameter> all_parameters(const Expr& expr) {
  std::vector<Parameter> list(expr.parameters().begin(), expr.parameters().end());
  std::uint32_t next = list.empty() ? 0 : list.back().index + 1;
  for (const Node& node : expr.nodes()) {
    const Expr* body = node.kind == NodeKind::kOperator ? definition_of(node.op) : nullptr;
    if (body == nullptr) continue;
    for (Parameter parameter : body->parameters()) {
      parameter.index = next++;
      list.push_back(parameter);
    }
  }
  return list;
}

Expr Graph::to_expr() const {
  ExprBuilder builder;
  // Depth first from the root, so that the nodes of the tree come out in post-order.
  const auto copy = [&](auto&& self, NodeId id) -> NodeId {
    const GraphNode& node = nodes_[id];
    if (node.kind == NodeKind::kInput) return builder.input();
    if (node.kind == NodeKind::kConstant) return builder.constant(node.constant);
    std::vector<NodeId> args;
    args.reserve(node.args.size());
    for (const NodeId arg : node.args) args.push_back(self(self, arg));
    return node.kind == NodeKind::kParameter ? builder.parameter(parameters_[node.slot], args[0])
                                             : builder.apply(node.op, args);
  };
  copy(copy, root_);
  return builder.finish();
}

}  // namespace actforge
