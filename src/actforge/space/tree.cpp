#include "actforge/space/tree.h"

#include <algorithm>

namespace actforge {
namespace {

template <class Node>
std::vector<Node*> pre_order(Node& root) {
  std::vector<Node*> list, open = {&root};
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    list.push_back(node);
    for (std::size_t i = node->children.size(); i-- > 0;) open.push_back(&node->children[i]);
  }
  return list;
}

}  // namespace

std::size_t Tree::operator_count() const {
  std::size_t count = kind == NodeKind::kOperator;
  for (const Tree& child : children) count += child.operator_count();
  return count;
}

std::vector<Tree*> nodes_of(Tree& tree) { return pre_order(tree); }
std::vector<const Tree*> nodes_of(const Tree& tree) { return pre_order(tree); }

ParameterisedTree tree_of(const Expr& expr) {
  ParameterisedTree result;
  std::size_t next_edge = 0;
  const auto copy = [&](auto&& self, NodeId id) -> Tree {
    while (expr.node(id).kind == NodeKind::kParameter) {
      result.parameters.push_back({next_edge, expr.parameter(expr.node(id).parameter)});
      id = expr.children(id)[0];
    }
    const Node& node = expr.node(id);
    Tree tree{.kind = node.kind, .op = node.op, .constant = node.constant};
    ++next_edge;
    for (const NodeId child : expr.children(id)) tree.children.push_back(self(self, child));
    return tree;
  };
  result.tree = copy(copy, expr.root());
  return result;
}

Expr expr_of(const Tree& tree, const std::vector<std::size_t>& parameter_edges) {
  ExprBuilder builder;
  std::size_t next_edge = 0;
  const auto copy = [&](auto&& self, const Tree& node) -> NodeId {
    const std::size_t edge = next_edge++;
    NodeId made = 0;
    if (node.kind == NodeKind::kInput) {
      made = builder.input();
    } else if (node.kind == NodeKind::kConstant) {
      made = builder.constant(node.constant);
    } else {
      std::vector<NodeId> children;
      children.reserve(node.children.size());
      for (const Tree& child : node.children) children.push_back(self(self, child));
      made = builder.apply(node.op, children);
    }
    const auto place = std::ranges::find(parameter_edges, edge);
    if (place == parameter_edges.end()) return made;
    return builder.parameter({.index = static_cast<std::uint32_t>(place - parameter_edges.begin())}, made);
  };
  copy(copy, tree);
  return builder.finish();
}

}  // namespace actforge
