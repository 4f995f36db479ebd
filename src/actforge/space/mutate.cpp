#include <algorithm>
#include <array>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/space/offspring.h"
#include "actforge/space/story.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"insert", "remove", "change", "regenerate"};

std::string name_of(Op op) { return std::string(op_info(op).name); }

class Mutation {
 public:
  Mutation(const Space& space, const Expr& parent, Random& random)
      : space_(space), random_(random), tree_(tree_of(parent).tree) {
    space.require(parent);
  }

  Offspring run(std::optional<MutationKind> wanted) {
    const MutationKind kind = space_.is_graph_space() ? choose_kind(wanted) : schema_kind(wanted);
    switch (kind) {
      case MutationKind::kInsert: insert(); break;
      case MutationKind::kRemove: remove(); break;
      case MutationKind::kChange: change(); break;
      case MutationKind::kRegenerate: regenerate(); break;
    }
    Offspring child{.kind = std::string(mutation_name(kind)), .story = std::move(story_)};
    child.expr = parameterise(space_, tree_, random_, child.story);
    return child;
  }

 private:
  void tell(std::string line) { story_.push_back(std::move(line)); }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[random_.below(list.size())];
  }

  MutationKind choose_kind(std::optional<MutationKind> wanted) {
    const std::size_t nodes = tree_.operator_count(),
                      limit = static_cast<std::size_t>(space_.definition().max_nodes.value());
    const MutationKind kind = wanted ? *wanted : static_cast<MutationKind>(random_.below(kNames.size()));
    if (nodes > limit && kind != MutationKind::kRemove) {
      tell(std::string(mutation_name(kind)) + " becomes remove: the parent has " + std::to_string(nodes) +
           " nodes, more than " + std::to_string(limit));
      return MutationKind::kRemove;
    }
    const MutationKind applied = nodes == 1 && kind == MutationKind::kRemove ? MutationKind::kChange : kind;
    if (applied != kind) tell("remove becomes change: the parent has one node");
    const bool needs_alternative = applied == MutationKind::kChange || applied == MutationKind::kRegenerate;
    if (!wanted && needs_alternative && changeable().empty()) {
      tell(std::string(mutation_name(applied)) + " becomes insert: no operator has an alternative");
      return MutationKind::kInsert;
    }
    return applied;
  }

  MutationKind schema_kind(std::optional<MutationKind> wanted) const {
    const MutationKind kind = wanted.value_or(MutationKind::kChange);
    if (kind == MutationKind::kInsert || kind == MutationKind::kRemove) {
      throw Error(ErrorCode::kUsage, std::string(mutation_name(kind)) + " would leave the schemas of '" +
                                         space_.name() + "': only change and regenerate stay inside");
    }
    return kind;
  }

  // What makes a binary operator return its first input: "the activation function computed remains unchanged".
  std::optional<Tree> second_input(Op op, const Tree& first) const {
    const std::vector<Op>& unary = space_.definition().unary;
    const auto constant = [&](Op value) -> std::optional<Tree> {
      if (std::ranges::find(unary, value) == unary.end()) return std::nullopt;
      return Tree::apply(value, {Tree::input()});
    };
    switch (op) {
      case Op::kAdd:
      case Op::kSub: return constant(Op::kZero);
      case Op::kMul:
      case Op::kDiv:
      case Op::kDivNoNan:
      case Op::kPow: return constant(Op::kOne);
      case Op::kDivEps: return std::nullopt;  // x/(1 + ε) is not x
      default: return first;                  // max, min
    }
  }

  void insert() {
    // One of all operators, as if the two lists were one. Those without such an input in the space cannot go in.
    std::vector<Op> choices = space_.definition().unary;
    for (const Op op : space_.definition().binary) {
      if (second_input(op, {})) choices.push_back(op);
    }
    const Op op = pick(choices);
    const std::vector<Tree*> nodes = nodes_of(tree_);
    const std::size_t edge = random_.below(nodes.size());
    std::string line = "insert: " + name_of(op) + " on " + edge_text(tree_, edge);
    Tree below = std::move(*nodes[edge]);
    std::vector<Tree> inputs = {std::move(below)};
    if (op_info(op).arity == 2) {
      inputs.push_back(second_input(op, inputs[0]).value());
      line += "; its second input is " + tree_text(inputs[1]) + ", so that the function stays the same";
    }
    tell(line);
    *nodes[edge] = Tree::apply(op, std::move(inputs));
  }

  std::vector<Tree*> operators() {
    std::vector<Tree*> list = nodes_of(tree_);
    std::erase_if(list, [](const Tree* node) { return node->kind != NodeKind::kOperator; });
    return list;
  }

  void remove() {
    Tree* node = pick(operators());
    std::string line = "remove: " + node_text(tree_, *node);
    const std::size_t kept = node->children.size() == 1 ? 0 : random_.below(node->children.size());
    Tree below = std::move(node->children[kept]);
    if (node->children.size() > 1) line += "; of its inputs, " + tree_text(below) + " stays";
    *node = std::move(below);
    if (tree_.kind != NodeKind::kOperator) {
      const std::vector<Op>& unary = space_.definition().unary;
      const bool has_identity = std::ranges::find(unary, Op::kIdentity) != unary.end();
      tree_ = Tree::apply(has_identity ? Op::kIdentity : pick(unary), {Tree::input()});
      line += "; nothing is left but x, so the child is " + tree_text(tree_);
    }
    tell(line);
  }

  // The list that a node's operator comes from, for every operator in pre-order.
  std::vector<const std::vector<Op>*> choices() {
    std::vector<const std::vector<Op>*> lists;
    if (space_.is_graph_space()) {
      for (const Tree* node : operators()) {
        lists.push_back(node->children.size() == 1 ? &space_.definition().unary : &space_.definition().binary);
      }
    } else {
      // Of several schemas that fit, the first in which something can change.
      for (const Schema& schema : space_.schemas()) {
        if (!schema.index_of(space_.lists(), tree_)) continue;
        lists.clear();
        for (const SchemaNode& node : schema.nodes()) {
          if (node.kind == NodeKind::kOperator) lists.push_back(&space_.lists()[node.list].ops);
        }
        if (std::ranges::any_of(lists, [](const auto* list) { return list->size() > 1; })) break;
      }
    }
    return lists;
  }

  // "Another" operator: a different one. The list has two at least.
  Op another(const std::vector<Op>& list, Op current) {
    std::vector<Op> others = list;
    std::erase(others, current);
    return pick(others);
  }

  // Operators that have an alternative, with their lists.
  std::vector<std::pair<Tree*, const std::vector<Op>*>> changeable() {
    const auto nodes = operators();
    const auto lists = choices();
    std::vector<std::pair<Tree*, const std::vector<Op>*>> result;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (lists[i]->size() > 1) result.emplace_back(nodes[i], lists[i]);
    }
    return result;
  }

  void require_alternative() {
    if (changeable().empty()) {
      throw Error(ErrorCode::kBadInput, "no operator of the parent has an alternative in the space");
    }
  }

  void change() {
    require_alternative();
    const auto [node, list] = pick(changeable());
    const std::string was = node_text(tree_, *node);
    node->op = another(*list, node->op);
    tell("change: " + was + ", becomes " + name_of(node->op));
  }

  void regenerate() {
    require_alternative();
    std::string line = "regenerate:";
    for (const auto& [node, list] : changeable()) {
      const Op was = node->op;
      node->op = another(*list, was);
      line += (line.ends_with(':') ? " " : ", ") + name_of(was) + " becomes " + name_of(node->op);
    }
    tell(line);
  }

  const Space& space_;
  Random& random_;
  Tree tree_;
  std::vector<std::string> story_;
};

}  // namespace

std::string_view mutation_name(MutationKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::span<const std::string_view> mutation_names() { return kNames; }

MutationKind mutation_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<MutationKind>(found - kNames.begin());
  throw_unknown("mutation", name, {kNames.begin(), kNames.end()});
}

Offspring mutate(const Space& space, const Expr& parent, Random& random, std::optional<MutationKind> kind) {
  return Mutation(space, parent, random).run(kind);
}

}  // namespace actforge
