#include "actforge/base/error.h"
#include "actforge/space/offspring.h"
#include "actforge/space/story.h"

namespace actforge {

Offspring initial(const Space& space, Random& random) {
  if (!space.is_graph_space()) {
    throw Error(ErrorCode::kUsage, "PANGAEA's initial forms are for spaces of graphs, such as pangaea; '" +
                                       space.name() + "' is a union of schemas, which can be sampled uniformly");
  }
  if (space.definition().max_nodes.value() < 3) {
    throw Error(ErrorCode::kUsage,
                "PANGAEA's initial forms have up to three nodes, more than '" + space.name() + "' has");
  }
  const auto pick = [&](const std::vector<Op>& list) { return list[random.below(list.size())]; };
  const std::vector<Op>&unary = space.definition().unary, &binary = space.definition().binary;
  Offspring child{.kind = "initial"};
  Tree tree;
  if (random.below(2) == 0) {
    const Op outer = pick(unary), inner = pick(unary);
    tree = Tree::apply(outer, {Tree::apply(inner, {Tree::input()})});
  } else {
    const Op root = pick(binary), left = pick(unary), right = pick(unary);
    tree = Tree::apply(root, {Tree::apply(left, {Tree::input()}), Tree::apply(right, {Tree::input()})});
  }
  child.story.push_back(std::string("initial: the form ") +
                        (tree.children.size() == 1 ? "unary(unary(x))" : "binary(unary(x),unary(x))"));
  child.expr = parameterise(space, tree, random, child.story);
  return child;
}

}  // namespace actforge
