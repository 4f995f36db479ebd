#include "actforge/space/schema.h"

#include <algorithm>
#include <bit>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"

namespace actforge {

OperatorList make_list(std::string name, std::vector<Op> ops, std::optional<int> arity) {
  const auto kind = [](int n) { return n == 1 ? "unary" : n == 2 ? "binary" : "n-ary"; };
  if (ops.empty()) throw Error(ErrorCode::kBadInput, "the list '" + name + "' is empty; it needs an operator at least");
  const int wanted = arity.value_or(op_info(ops[0]).arity);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const OpInfo& info = op_info(ops[i]);
    if (info.arity != wanted) {
      throw Error(ErrorCode::kBadInput, "'" + std::string(info.name) + "' is " + kind(info.arity) + ", the list '" +
                                            name + "' holds " + kind(wanted) + " operators");
    }
    if (std::ranges::count(ops, ops[i]) > 1) {
      throw Error(ErrorCode::kBadInput, "'" + std::string(info.name) + "' is twice in the list '" + name + "'");
    }
  }
  return {std::move(name), wanted, std::move(ops)};
}

std::string Schema::cafe_text(int depth) {
  const std::string inner = depth == 1 ? "x" : cafe_text(depth - 1);
  return "binary(unary(" + inner + "),unary(" + inner + "))";
}

std::size_t Schema::depth() const {
  // Children come after their parents.
  std::vector<std::size_t> height(nodes_.size(), 1);
  for (std::size_t id = nodes_.size(); id-- > 0;) {
    for (const std::uint32_t child : nodes_[id].children) height[id] = std::max(height[id], height[child] + 1);
  }
  return height[0];
}

std::size_t Schema::operator_count(const std::vector<OperatorList>& lists, int arity) const {
  return static_cast<std::size_t>(std::ranges::count_if(nodes_, [&](const SchemaNode& node) {
    return node.kind == NodeKind::kOperator && lists[node.list].arity == arity;
  }));
}

std::string Schema::text(const std::vector<OperatorList>& lists, std::uint32_t id) const {
  const SchemaNode& node = nodes_[id];
  if (node.kind == NodeKind::kInput) return "x";
  if (node.kind == NodeKind::kConstant) return number_text(node.constant);
  std::string inner;
  for (const std::uint32_t child : node.children) inner += (inner.empty() ? "" : ",") + text(lists, child);
  return lists[node.list].name + "(" + inner + ")";
}

Integer Schema::function_count(const std::vector<OperatorList>& lists) const {
  Integer count = 1;
  for (const SchemaNode& node : nodes_) {
    if (node.kind == NodeKind::kOperator) count *= lists[node.list].ops.size();
  }
  return count;
}

Tree Schema::tree_at(const std::vector<OperatorList>& lists, Integer index) const {
  std::vector<std::size_t> digits(nodes_.size());
  for (std::size_t id = nodes_.size(); id-- > 0;) {
    if (nodes_[id].kind != NodeKind::kOperator) continue;
    const std::size_t radix = lists[nodes_[id].list].ops.size();
    digits[id] = static_cast<std::size_t>(index % radix);
    index /= radix;
  }
  const auto build = [&](auto&& self, std::uint32_t id) -> Tree {
    const SchemaNode& node = nodes_[id];
    Tree tree{.kind = node.kind, .constant = node.constant};
    if (node.kind == NodeKind::kOperator) tree.op = lists[node.list].ops[digits[id]];
    for (const std::uint32_t child : node.children) tree.children.push_back(self(self, child));
    return tree;
  };
  return build(build, 0);
}

std::optional<Integer> Schema::index_of(const std::vector<OperatorList>& lists, const Tree& tree) const {
  const std::vector<const Tree*> given = nodes_of(tree);
  if (given.size() != nodes_.size()) return std::nullopt;
  Integer index = 0;
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    const SchemaNode& node = nodes_[id];
    if (given[id]->kind != node.kind || given[id]->children.size() != node.children.size()) return std::nullopt;
    if (node.kind == NodeKind::kConstant &&
        std::bit_cast<std::uint64_t>(given[id]->constant) != std::bit_cast<std::uint64_t>(node.constant)) {
      return std::nullopt;
    }
    if (node.kind != NodeKind::kOperator) continue;
    const std::vector<Op>& ops = lists[node.list].ops;
    const auto place = std::ranges::find(ops, given[id]->op);
    if (place == ops.end()) return std::nullopt;
    index = index * ops.size() + static_cast<std::size_t>(place - ops.begin());
  }
  return index;
}

}  // namespace actforge
