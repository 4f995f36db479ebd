#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/space/space.h"

namespace actforge {

// A new function, and in words how it came about.
struct Offspring {
  Expr expr = {};
  std::string kind = {};  // "insert", "remove", "change", "regenerate", "cross", "initial"
  std::vector<std::string> story = {};
};

enum class MutationKind { kInsert, kRemove, kChange, kRegenerate };
std::string_view mutation_name(MutationKind kind);
std::span<const std::string_view> mutation_names();
// Throws Error for a name that is none, with the nearest one.
MutationKind mutation_kind(std::string_view name);

// In a graph space: PANGAEA's mutations, all four equally likely where `kind` does not say which. A function of one
// operator is changed where it would lose it; one above the limit of nodes always loses one.
// In a union of schemas: CAFE's mutation, `change`, which stays inside; or `regenerate`.
// The parent's parameters are dropped; the child gets its own (parameterise). Throws Error when the parent is not in
// the space or nothing can be changed.
Offspring mutate(const Space& space, const Expr& parent, Random& random,
                 std::optional<MutationKind> kind = std::nullopt);

// CAFE's crossover: a subtree of `second` takes the place of one of `first` with the same schema, which in S_d means of
// the same depth; never the whole tree. The pair is uniform over the first's subtrees that have a partner, then over
// the partners.
Offspring cross(const Space& space, const Expr& first, const Expr& second, Random& random);

// One of PANGAEA's two initial forms, unary(unary(x)) and binary(unary(x),unary(x)), equally likely, with operators of
// the space's lists.
Offspring initial(const Space& space, Random& random);

// k from {0, ..., space.parameters()}, each equally likely, then k edges, every set of them equally likely; all edges
// where there are fewer than k.
Expr parameterise(const Space& space, const Tree& tree, Random& random, std::vector<std::string>& story);

}  // namespace actforge
