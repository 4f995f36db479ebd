#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/space/integer.h"
#include "actforge/space/requirements.h"
#include "actforge/space/schema.h"

namespace actforge {

// What a user says of a space; a TOML file has the same fields.
struct SpaceDefinition {
  std::string name = {};
  // The lists named `unary`, `binary` and `nary` in schemas. By default those of PANGAEA and AQuaSurF.
  std::vector<Op> unary = {pangaea_unary().begin(), pangaea_unary().end()};
  std::vector<Op> binary = {pangaea_binary().begin(), pangaea_binary().end()};
  std::vector<Op> nary = {Op::kSumN, Op::kProdN, Op::kMaxN, Op::kMinN};
  // Further lists, under names of their own.
  std::vector<OperatorList> lists = {};
  // The union of these shapes ...
  std::vector<std::string> schemas = {};
  // ... or of all graphs of unary and binary nodes up to this number of nodes. One of the two is given.
  std::optional<int> max_nodes = std::nullopt;
  // Learnable factors: a function has one on each of up to this many of its edges.
  int parameters = 0;
  // What functions must have to be drawn; nothing: the space does not say, and a search decides. Functions without it
  // keep their index, so that enumerating and counting take no notice.
  std::optional<Requirements> require = std::nullopt;
};

inline constexpr int kLargestGraph = 12;        // nodes: 9,360 arrangements
inline constexpr int kMostSpaceParameters = 8;  // of a function

// A set of activation functions in a fixed order: schema by schema; within one, first the functions without parameters,
// then those with one, two, ... (edges from the output down); within those, operators as digits in the order of the
// text, the leftmost changing slowest.
class Space {
 public:
  // Throws Error for a definition that makes no sense. Where a schema is to blame, `schema_at_fault` says which.
  explicit Space(const SpaceDefinition& definition, std::size_t* schema_at_fault = nullptr);

  const std::string& name() const { return definition_.name; }
  const SpaceDefinition& definition() const { return definition_; }
  const std::vector<OperatorList>& lists() const { return lists_; }
  std::span<const Schema> schemas() const { return schemas_; }
  int parameters() const { return definition_.parameters; }
  // Why a function is not to be drawn (SpaceDefinition::require); empty: it is.
  std::string refusal(const Expr& expr) const {
    return definition_.require ? actforge::refusal(*definition_.require, expr) : std::string();
  }
  // All graphs up to a number of nodes, where insert and remove make sense; not a union of given shapes.
  bool is_graph_space() const { return definition_.max_nodes.has_value(); }

  const Integer& total() const { return ends_.back(); }
  // The schema that the function at an index has; the index must be in the space.
  std::size_t schema_at(const Integer& index) const;
  // The functions of one schema begin at this index; `schema` may be one past the last.
  Integer begin_of(std::size_t schema) const { return schema == 0 ? Integer(0) : ends_[schema - 1]; }
  // Ways to put parameters on the edges of a schema, none included.
  Integer placements(std::size_t schema) const;

  // The function at an index, without those before it. Throws Error when there is none.
  Expr at(const Integer& index) const;
  // Where a function stands, whatever its parameters are called; nothing when it is not in the enumeration.
  std::optional<Integer> index_of(const Expr& expr) const;
  Expr sample(Random& random) const { return at(random_below(random, total())); }

  // Throws Error with the reason when a function cannot be a parent or a child here. In a union of schemas it must be
  // one of the functions enumerated. In a graph space x may also go straight into a binary node, which `remove` does,
  // and there may be more nodes than the limit n, up to 2n + 1, which `insert` does; the next mutation of such a
  // function removes one.
  void require(const Expr& expr) const;
  bool admits(const Expr& expr) const;

  // Whether a schema has a place for the operators of a list.
  bool uses(std::string_view list) const;

  // The first schema that a tree fits.
  std::optional<std::size_t> schema_of(const Tree& tree) const;

 private:
  SpaceDefinition definition_;
  std::vector<OperatorList> lists_;
  std::vector<Schema> schemas_;
  std::vector<Integer> ends_;  // of the functions of each schema
};

// Schemas of all graphs with so many unary and binary nodes, in which every path begins with a unary node at x.
std::vector<std::string> arrangements(int unary, int binary);

}  // namespace actforge
