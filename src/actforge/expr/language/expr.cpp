#include "actforge/expr/language/expr.h"

#include <algorithm>
#include <array>
#include <bit>

#include "actforge/base/error.h"

namespace actforge {

std::string_view scope_name(Scope scope) {
  constexpr std::array<std::string_view, 3> kNames = {"layer", "channel", "neuron"};
  return kNames[static_cast<std::size_t>(scope)];
}

std::string parameter_name(std::uint32_t index) {
  constexpr std::array<std::string_view, 3> kNames = {"alpha", "beta", "gamma"};
  return index < kNames.size() ? std::string(kNames[index]) : "param_" + std::to_string(index);
}

const Parameter& Expr::parameter(std::uint32_t index) const {
  const auto found = std::ranges::lower_bound(parameters_, index, {}, &Parameter::index);
  if (found == parameters_.end() || found->index != index) {
    throw Error(ErrorCode::kBadInput, "the expression has no parameter '" + parameter_name(index) + "'");
  }
  return *found;
}

std::size_t Expr::operator_count() const {
  return static_cast<std::size_t>(std::ranges::count(nodes_, NodeKind::kOperator, &Node::kind));
}

std::size_t Expr::edge_count() const {
  std::size_t edges = 1;  // to the output
  for (const Node& node : nodes_) {
    if (node.kind == NodeKind::kOperator) edges += node.child_count;
  }
  return edges;
}

bool operator==(const Expr& a, const Expr& b) {
  const auto same = [](const Node& p, const Node& q) {
    return p.kind == q.kind && p.op == q.op && p.parameter == q.parameter && p.child_count == q.child_count &&
           std::bit_cast<std::uint64_t>(p.constant) == std::bit_cast<std::uint64_t>(q.constant);
  };
  return std::ranges::equal(a.nodes_, b.nodes_, same) && a.children_ == b.children_ && a.parameters_ == b.parameters_;
}

NodeId ExprBuilder::add(Node node, std::span<const NodeId> children) {
  if (expr_.nodes_.size() >= kMaxNodes) {
    throw Error(ErrorCode::kBadInput, "expression too large: more than " + std::to_string(kMaxNodes) + " nodes");
  }
  std::uint32_t depth = 1;
  for (const NodeId child : children) depth = std::max(depth, depth_[child] + 1);
  if (depth > kMaxDepth) {
    throw Error(ErrorCode::kBadInput,
                "expression nested too deeply: more than " + std::to_string(kMaxDepth) + " levels");
  }
  node.first_child = static_cast<std::uint32_t>(expr_.children_.size());
  node.child_count = static_cast<std::uint32_t>(children.size());
  expr_.children_.insert(expr_.children_.end(), children.begin(), children.end());
  expr_.nodes_.push_back(node);
  depth_.push_back(depth);
  return expr_.root();
}

NodeId ExprBuilder::input() { return add({.kind = NodeKind::kInput}, {}); }

NodeId ExprBuilder::constant(double value) { return add({.kind = NodeKind::kConstant, .constant = value}, {}); }

NodeId ExprBuilder::apply(Op op, std::span<const NodeId> children) {
  const OpInfo& info = op_info(op);
  const bool fits =
      info.arity == kVariadic ? !children.empty() : children.size() == static_cast<std::size_t>(info.arity);
  if (!fits) {
    const std::string wanted = info.arity == kVariadic ? "at least 1 argument"
                               : info.arity == 1       ? "1 argument"
                                                       : std::to_string(info.arity) + " arguments";
    throw Error(ErrorCode::kBadInput,
                "'" + std::string(info.name) + "' takes " + wanted + ", not " + std::to_string(children.size()));
  }
  return add({.kind = NodeKind::kOperator, .op = op}, children);
}

NodeId ExprBuilder::parameter(const Parameter& parameter, NodeId child) {
  declare(parameter);
  return add({.kind = NodeKind::kParameter, .parameter = parameter.index}, {&child, 1});
}

void ExprBuilder::declare(const Parameter& parameter) {
  if (parameter.index >= kMaxParameters) {
    throw Error(ErrorCode::kBadInput,
                "too many parameters: the last name is '" + parameter_name(kMaxParameters - 1) + "'");
  }
  auto& list = expr_.parameters_;
  const auto place = std::ranges::lower_bound(list, parameter.index, {}, &Parameter::index);
  if (place == list.end() || place->index != parameter.index) {
    list.insert(place, parameter);
  } else if (!(*place == parameter)) {
    throw Error(ErrorCode::kBadInput, "parameter '" + parameter_name(parameter.index) +
                                          "' appears with two different initial values or scopes");
  }
}

NodeId ExprBuilder::insert(const Expr& expr) {
  const auto offset = static_cast<NodeId>(expr_.nodes_.size());
  for (const Parameter& parameter : expr.parameters()) declare(parameter);
  std::vector<NodeId> children;
  for (NodeId id = 0; id < expr.nodes().size(); ++id) {
    children.assign(expr.children(id).begin(), expr.children(id).end());
    for (NodeId& child : children) child += offset;
    add(expr.node(id), children);
  }
  return expr_.root();
}

Expr ExprBuilder::finish() {
  if (expr_.nodes_.empty()) throw Error(ErrorCode::kBadInput, "empty expression");
  // Children come before parents by construction; together with the count this makes it one tree.
  if (expr_.children_.size() + 1 != expr_.nodes_.size()) {
    throw Error(ErrorCode::kFailed, "an expression must be one tree");
  }
  depth_.clear();
  return std::move(expr_);
}

}  // namespace actforge
