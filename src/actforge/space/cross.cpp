#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/offspring.h"
#include "actforge/space/story.h"

namespace actforge {
namespace {

// The operators below the root, by the text of the schema they fit.
struct Parent {
  Parent(const Space& space, const Expr& expr) : tree(tree_of(expr).tree) {
    space.require(expr);
    const Schema& schema = space.schemas()[space.schema_of(tree).value()];
    const std::vector<Tree*> nodes = nodes_of(tree);
    for (std::uint32_t id = 1; id < schema.nodes().size(); ++id) {
      if (schema.node(id).kind != NodeKind::kOperator) continue;
      subtrees.push_back(nodes[id]);
      shapes.push_back(schema.text(space.lists(), id));
    }
  }

  Parent(const Parent&) = delete;  // it points into itself
  Parent& operator=(const Parent&) = delete;

  Tree tree;
  std::vector<Tree*> subtrees;
  std::vector<std::string> shapes;
};

}  // namespace

Offspring cross(const Space& space, const Expr& first, const Expr& second, Random& random) {
  if (space.is_graph_space()) {
    throw Error(ErrorCode::kUsage, "crossover is CAFE's: it needs a union of schemas such as cafe-s2, and '" +
                                       space.name() + "' is a space of graphs, which are mutated");
  }
  Parent a(space, first);
  const Parent b(space, second);
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < a.shapes.size(); ++i) {
    if (std::ranges::find(b.shapes, a.shapes[i]) != b.shapes.end()) candidates.push_back(i);
  }
  if (candidates.empty()) throw Error(ErrorCode::kBadInput, "the two functions have no subtrees of the same schema");
  const std::size_t chosen = candidates[random.below(candidates.size())];
  std::vector<std::size_t> partners;
  for (std::size_t j = 0; j < b.shapes.size(); ++j) {
    if (b.shapes[j] == a.shapes[chosen]) partners.push_back(j);
  }
  const Tree& graft = *b.subtrees[partners[random.below(partners.size())]];
  Offspring child{.kind = "cross"};
  child.story.push_back("cross: " + tree_text(*a.subtrees[chosen]) + " of the first is replaced by " +
                        tree_text(graft) + " of the second; both fit " + a.shapes[chosen]);
  *a.subtrees[chosen] = graft;
  child.expr = parameterise(space, a.tree, random, child.story);
  return child;
}

}  // namespace actforge
