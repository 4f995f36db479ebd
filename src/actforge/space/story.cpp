#include "actforge/space/story.h"

#include "actforge/expr/language/print.h"

namespace actforge {

std::string tree_text(const Tree& tree) { return to_call(expr_of(tree)); }

std::string edge_text(const Tree& tree, std::size_t edge) {
  const std::vector<const Tree*> nodes = nodes_of(tree);
  if (edge == 0) return "the output edge";
  for (const Tree* parent : nodes) {
    for (std::size_t i = 0; i < parent->children.size(); ++i) {
      if (&parent->children[i] != nodes[edge]) continue;
      std::string text = "the edge from " + tree_text(*nodes[edge]) + " to ";
      if (parent->children.size() > 1) text += "input " + std::to_string(i + 1) + " of ";
      return text.append(op_info(parent->op).name);
    }
  }
  return "an edge";
}

std::string node_text(const Tree& tree, const Tree& node) {
  std::size_t place = 0;
  for (const Tree* candidate : nodes_of(tree)) {
    if (candidate->kind == NodeKind::kOperator) ++place;
    if (candidate == &node) break;
  }
  return "node " + std::to_string(place) + " of " + std::to_string(tree.operator_count()) + ", " +
         std::string(op_info(node.op).name);
}

}  // namespace actforge
