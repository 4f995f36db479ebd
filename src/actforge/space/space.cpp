#include "actforge/space/space.h"

#include <algorithm>
#include <set>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/combination.h"

namespace actforge {
namespace {

std::vector<OperatorList> join_lists(const SpaceDefinition& definition) {
  std::vector<OperatorList> lists;
  lists.push_back(make_list("unary", definition.unary, 1));
  lists.push_back(make_list("binary", definition.binary, 2));
  lists.push_back(make_list("nary", definition.nary, kVariadic));
  for (const OperatorList& list : definition.lists) {
    check_list_name(list.name);
    if (std::ranges::find(lists, list.name, &OperatorList::name) != lists.end()) {
      throw Error(ErrorCode::kBadInput, "there are two lists called '" + list.name + "'");
    }
    lists.push_back(make_list(list.name, list.ops));
  }
  return lists;
}

std::vector<std::string> schema_texts(const SpaceDefinition& definition) {
  if (!definition.max_nodes) return definition.schemas;
  if (!definition.schemas.empty()) throw Error(ErrorCode::kBadInput, "give schemas or max_nodes, not both");
  if (*definition.max_nodes < 1 || *definition.max_nodes > kLargestGraph) {
    throw Error(ErrorCode::kBadInput, "max_nodes goes from 1 to " + std::to_string(kLargestGraph) + ", not " +
                                          std::to_string(*definition.max_nodes));
  }
  std::vector<std::string> texts;
  for (int nodes = 1; nodes <= *definition.max_nodes; ++nodes) {
    // A binary node needs two inputs, so b of them need b+1 unary nodes at least.
    for (int binary = 0; 2 * binary + 1 <= nodes; ++binary) {
      std::ranges::move(arrangements(nodes - binary, binary), std::back_inserter(texts));
    }
  }
  return texts;
}

void check_parameters(const SpaceDefinition& definition) {
  if (definition.parameters < 0 || definition.parameters > kMostSpaceParameters) {
    throw Error(ErrorCode::kBadInput, "parameters goes from 0 to " + std::to_string(kMostSpaceParameters) + ", not " +
                                          std::to_string(definition.parameters));
  }
}

// Every function of a schema must be small enough for an expression, with its parameters.
void check_room(const Schema& schema, int parameters) {
  const auto more = static_cast<std::size_t>(parameters);
  if (schema.nodes().size() + more > kMaxNodes) {
    throw Error(ErrorCode::kBadInput,
                "schema too large: more than " + std::to_string(kMaxNodes) + " nodes with its parameters", 0);
  }
  if (schema.depth() + more > kMaxDepth) {
    throw Error(ErrorCode::kBadInput,
                "schema nested too deeply: more than " + std::to_string(kMaxDepth) + " levels with its parameters", 0);
  }
}

}  // namespace

std::vector<std::string> arrangements(int unary, int binary) {
  std::vector<std::string> list;
  if (unary < binary + 1) return list;
  if (unary == 1 && binary == 0) return {"unary(x)"};
  if (unary > binary + 1) {
    for (const std::string& inner : arrangements(unary - 1, binary)) list.push_back("unary(" + inner + ")");
  }
  for (int left_binary = 0; left_binary < binary; ++left_binary) {
    for (int left_unary = left_binary + 1; left_unary < unary; ++left_unary) {
      const auto left = arrangements(left_unary, left_binary);
      const auto right = arrangements(unary - left_unary, binary - 1 - left_binary);
      for (const std::string& a : left) {
        for (const std::string& b : right)
          list.push_back(std::string("binary(").append(a).append(",").append(b).append(")"));
      }
    }
  }
  return list;
}

Space::Space(const SpaceDefinition& definition, std::size_t* schema_at_fault)
    : definition_(definition), lists_(join_lists(definition)) {
  check_parameters(definition);
  const std::vector<std::string> texts = schema_texts(definition);
  if (texts.empty()) throw Error(ErrorCode::kBadInput, "the space has no schema, such as binary(unary(x),unary(x))");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (schema_at_fault != nullptr) *schema_at_fault = i;
    schemas_.push_back(Schema::parse(texts[i], lists_));
    const std::string text = schemas_.back().text(lists_);
    if (!seen.insert(text).second) {
      throw Error(ErrorCode::kBadInput, "the schema '" + text + "' is there twice; its functions would be too", 0);
    }
    check_room(schemas_.back(), definition.parameters);
    const Integer count = schemas_.back().function_count(lists_) * placements(i);
    ends_.push_back(begin_of(i) + count);
  }
}

Integer Space::placements(std::size_t schema) const {
  Integer count = 0;
  for (int k = 0; k <= definition_.parameters; ++k) {
    count += binomial(schemas_[schema].edge_count(), static_cast<std::size_t>(k));
  }
  return count;
}

std::size_t Space::schema_at(const Integer& index) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
}

Expr Space::at(const Integer& index) const {
  if (index < 0 || index >= total()) {
    throw Error(ErrorCode::kBadInput,
                "there is no function " + with_commas(index) + ": the space has " + with_commas(total()));
  }
  const std::size_t which = schema_at(index);
  const Schema& schema = schemas_[which];
  const Integer offset = index - begin_of(which);
  const Integer functions = schema.function_count(lists_);
  return expr_of(schema.tree_at(lists_, offset % functions), subset_at(schema.edge_count(), offset / functions));
}

bool Space::uses(std::string_view list) const {
  return std::ranges::any_of(schemas_, [&](const Schema& schema) {
    return std::ranges::any_of(schema.nodes(), [&](const SchemaNode& node) {
      return node.kind == NodeKind::kOperator && lists_[node.list].name == list;
    });
  });
}

std::optional<std::size_t> Space::schema_of(const Tree& tree) const {
  for (std::size_t i = 0; i < schemas_.size(); ++i) {
    if (schemas_[i].index_of(lists_, tree)) return i;
  }
  return std::nullopt;
}

namespace {

// Why these parameters cannot be, or an empty string.
std::string parameter_fault(const std::vector<EdgeParameter>& parameters, int most) {
  if (parameters.size() > static_cast<std::size_t>(most)) {
    return "it has " + std::to_string(parameters.size()) + " parameters, the space allows " + std::to_string(most);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i].parameter;
    if (p.initial != 1 || p.scope != Scope::kChannel) {
      return "'" + parameter_name(p.index) + "' does not start at 1 with a value per channel";
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (parameters[j].edge == parameters[i].edge) return "it has two parameters on one edge";
      if (parameters[j].parameter.index == p.index) return "'" + parameter_name(p.index) + "' is on two edges";
    }
  }
  return {};
}

// Why a tree cannot be a graph of these operators, or an empty string.
std::string graph_fault(const Tree& tree, const SpaceDefinition& definition) {
  if (tree.kind != NodeKind::kOperator) return "it has no operator; write identity(x) for x";
  const std::size_t most = 2 * static_cast<std::size_t>(definition.max_nodes.value()) + 1;
  if (tree.operator_count() > most) {
    return "it has " + std::to_string(tree.operator_count()) + " nodes; mutations make " + std::to_string(most) +
           " at most";
  }
  for (const Tree* node : nodes_of(tree)) {
    if (node->kind == NodeKind::kConstant) return "it has a constant; write zero(x), one(x) or operators of them";
    if (node->kind != NodeKind::kOperator) continue;
    const std::vector<Op>& list = node->children.size() == 1 ? definition.unary : definition.binary;
    if (std::ranges::find(list, node->op) == list.end()) {
      std::vector<std::string_view> names(list.size());
      std::ranges::transform(list, names.begin(), [](Op op) { return op_info(op).name; });
      return "'" + std::string(op_info(node->op).name) + "' is not among its operators, " + name_list(names);
    }
  }
  return {};
}

}  // namespace

std::optional<Integer> Space::index_of(const Expr& expr) const {
  const ParameterisedTree given = tree_of(expr);
  if (!parameter_fault(given.parameters, parameters()).empty()) return std::nullopt;
  const auto which = schema_of(given.tree);
  if (!which) return std::nullopt;
  std::vector<std::size_t> edges;
  edges.reserve(given.parameters.size());
  for (const EdgeParameter& p : given.parameters) edges.push_back(p.edge);
  const Schema& schema = schemas_[*which];
  const Integer placement = subset_index(schema.edge_count(), edges);
  return begin_of(*which) + placement * schema.function_count(lists_) + schema.index_of(lists_, given.tree).value();
}

void Space::require(const Expr& expr) const {
  const ParameterisedTree given = tree_of(expr);
  std::string fault = parameter_fault(given.parameters, parameters());
  if (fault.empty() && is_graph_space()) fault = graph_fault(given.tree, definition_);
  if (fault.empty() && !is_graph_space() && !schema_of(given.tree)) {
    fault = schemas_.size() == 1 ? "it does not fit the schema " + schemas_[0].text(lists_) + " with its operators"
                                 : "it fits none of its schemas with their operators";
  }
  if (fault.empty()) return;
  throw Error(ErrorCode::kBadInput, "'" + to_call(expr) + "' is not in the space '" + name() + "': " + fault);
}

bool Space::admits(const Expr& expr) const {
  try {
    require(expr);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace actforge
