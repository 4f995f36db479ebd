#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/space/integer.h"
#include "actforge/space/tree.h"

namespace actforge {

// Operators that may stand in one place: all unary, all binary, or all n-ary.
struct OperatorList {
  std::string name;
  int arity = 1;  // 1, 2 or kVariadic
  std::vector<Op> ops;

  bool operator==(const OperatorList&) const = default;
};

// "relu, tanh" -> operators. Throws Error with the position of a name that is not one, or of an empty list.
std::vector<Op> parse_operators(std::string_view text);
// Checks that there are operators, each once, all of one arity, and that it is `arity` where that is given.
OperatorList make_list(std::string name, std::vector<Op> ops, std::optional<int> arity = std::nullopt);

// Throws Error for a name that a schema could not use, or that means something else in one.
void check_list_name(std::string_view name);

struct SchemaNode {
  NodeKind kind = NodeKind::kInput;
  std::uint32_t list = 0;  // of an operator: which of the space's lists
  double constant = 0;
  std::vector<std::uint32_t> children = {};
};

// The shape of functions, such as binary(unary(x),unary(x)), as nodes in pre-order. In place of the name of a list
// there may be the name of an operator, which then stands there in every function.
class Schema {
 public:
  // `lists` grows by a list of one for every operator that is named. Throws Error with a position.
  static Schema parse(std::string_view text, std::vector<OperatorList>& lists);
  // binary(unary(S_{d-1}),unary(S_{d-1})), the core units of CAFE; S_0 is x.
  static std::string cafe_text(int depth);

  std::span<const SchemaNode> nodes() const { return nodes_; }
  const SchemaNode& node(std::size_t id) const { return nodes_[id]; }
  // Every node has one edge above it.
  std::size_t edge_count() const { return nodes_.size(); }
  std::size_t depth() const;
  std::size_t operator_count(const std::vector<OperatorList>& lists, int arity) const;
  std::string text(const std::vector<OperatorList>& lists, std::uint32_t node = 0) const;

  // Functions that fit, parameters aside: the product of the lengths of the lists.
  Integer function_count(const std::vector<OperatorList>& lists) const;
  // Operators as digits in pre-order, the first the most significant.
  Tree tree_at(const std::vector<OperatorList>& lists, Integer index) const;
  std::optional<Integer> index_of(const std::vector<OperatorList>& lists, const Tree& tree) const;

 private:
  friend class SchemaParser;
  std::vector<SchemaNode> nodes_;
};

}  // namespace actforge
