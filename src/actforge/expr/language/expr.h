#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actforge/expr/ops/op.h"

namespace actforge {

// Where a learnable parameter has values of its own: one for the whole layer, one per channel, one per neuron.
enum class Scope : std::uint8_t { kLayer, kChannel, kNeuron };
std::string_view scope_name(Scope scope);

// A learnable factor on an edge. PANGAEA's start at one, one per channel.
struct Parameter {
  std::uint32_t index = 0;
  double initial = 1;
  Scope scope = Scope::kChannel;

  bool operator==(const Parameter&) const = default;
};

// alpha, beta, gamma, param_3, param_4, ...
std::string parameter_name(std::uint32_t index);

using NodeId = std::uint32_t;
enum class NodeKind : std::uint8_t { kInput, kConstant, kParameter, kOperator };

struct Node {
  NodeKind kind = NodeKind::kInput;
  Op op = Op::kIdentity;        // of an operator
  std::uint32_t parameter = 0;  // index of the parameter that multiplies the only child
  double constant = 0;
  std::uint32_t first_child = 0;
  std::uint32_t child_count = 0;
};

inline constexpr std::size_t kMaxNodes = 4096;
inline constexpr std::size_t kMaxDepth = 200;
inline constexpr std::uint32_t kMaxParameters = 256;

// An activation function of one variable, as it was written: a tree whose nodes are in post-order, the root last.
// Immutable; made by parse() or an ExprBuilder.
class Expr {
 public:
  std::span<const Node> nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  NodeId root() const { return static_cast<NodeId>(nodes_.size() - 1); }
  std::span<const NodeId> children(NodeId id) const {
    return std::span(children_).subspan(nodes_[id].first_child, nodes_[id].child_count);
  }
  // In order of index, each once. Those inside named functions such as prelu are not listed: lower() brings them out.
  std::span<const Parameter> parameters() const { return parameters_; }
  const Parameter& parameter(std::uint32_t index) const;

  // As the dissertation counts them: operators, and the edges between them with those from x and to the output.
  std::size_t operator_count() const;
  std::size_t edge_count() const;

  friend bool operator==(const Expr& a, const Expr& b);

 private:
  friend class ExprBuilder;
  std::vector<Node> nodes_;
  std::vector<NodeId> children_;
  std::vector<Parameter> parameters_;
};

// Adds nodes children first. Every node but the last must become a child exactly once. Throws Error past the limits.
class ExprBuilder {
 public:
  NodeId input();
  NodeId constant(double value);
  NodeId parameter(const Parameter& parameter, NodeId child);
  NodeId apply(Op op, std::span<const NodeId> children);
  // Copies a whole expression in, its parameters included.
  NodeId insert(const Expr& expr);
  Expr finish();

 private:
  NodeId add(Node node, std::span<const NodeId> children);
  void declare(const Parameter& parameter);

  Expr expr_;
  std::vector<std::uint32_t> depth_;
};

}  // namespace actforge
