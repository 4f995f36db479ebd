#include "actforge/space/space_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/alias.h"
#include "actforge/space/operator_sets.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 9> kKeys = {"name",  "schemas", "max_nodes", "parameters", "require",
                                                   "unary", "binary",  "nary",      "lists"};
constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr std::ptrdiff_t kMostDots = 5000;
constexpr std::size_t kMostSchemas = 10'000;

class Reader {
 public:
  explicit Reader(std::string origin) : origin_(std::move(origin)) {}

  Space read(std::string_view text) {
    // toml++ goes down one call for every dot of a key, and has no limit.
    if (std::ranges::count(text, '.') > kMostDots) fail(1, "more than " + std::to_string(kMostDots) + " dots");
    toml::table table;
    try {
      table = toml::parse(text, origin_);
    } catch (const toml::parse_error& error) {
      fail(error.source().begin.line, std::string(error.description()));
    }
    for (const auto& [key, value] : table) read_key(key.str(), value);
    if (!definition_.max_nodes && definition_.schemas.empty()) {
      fail(1, "the space has no schema; write schemas = [\"binary(unary(x),unary(x))\"], or max_nodes");
    }
    if (definition_.max_nodes && !definition_.schemas.empty()) {
      fail(max_nodes_line_, "give schemas or max_nodes, not both");
    }
    if (definition_.name.empty()) definition_.name = origin_;
    Space space = make_space();
    for (const auto& [name, line] : list_lines_) {
      if (!space.uses(name)) fail(line, "no schema uses the list '" + name + "'");
    }
    return space;
  }

 private:
  Space make_space() const {
    std::size_t schema = 0;
    try {
      return Space(definition_, &schema);
    } catch (const Error& error) {
      fail(schema < schema_lines_.size() ? schema_lines_[schema] : 1, error.what());
    }
  }

  [[noreturn]] void fail(toml::source_index line, const std::string& what) const {
    throw Error(ErrorCode::kBadInput, origin_ + ", line " + std::to_string(line) + ": " + what);
  }
  static toml::source_index line_of(const toml::node& node) { return node.source().begin.line; }

  void read_key(std::string_view key, const toml::node& value) {
    if (key == "name") {
      definition_.name = text(value, "the name");
    } else if (key == "schemas") {
      read_schemas(value);
    } else if (key == "max_nodes") {
      max_nodes_line_ = line_of(value);
      definition_.max_nodes = integer(value, "max_nodes", 1, kLargestGraph);
    } else if (key == "parameters") {
      definition_.parameters = integer(value, "parameters", 0, kMostSpaceParameters);
    } else if (key == "require") {
      definition_.require = requirements(value);
    } else if (key == "unary") {
      definition_.unary = operators(value, "unary", 1);
    } else if (key == "binary") {
      definition_.binary = operators(value, "binary", 2);
    } else if (key == "nary") {
      definition_.nary = operators(value, "nary", kVariadic);
    } else if (key == "lists") {
      const toml::table* lists = value.as_table();
      if (lists == nullptr) fail(line_of(value), "'lists' is a table: write [lists] and below it name = [operators]");
      for (const auto& [name, list] : *lists) read_list(std::string(name.str()), list);
    } else {
      fail(line_of(value), "unknown key '" + std::string(key) + "'" + nearest_and_list(key, kKeys));
    }
  }

  std::string text(const toml::node& value, const std::string& what) const {
    const auto found = value.value_exact<std::string>();
    if (!found) fail(line_of(value), what + " is a text in quotation marks");
    return *found;
  }

  Requirements requirements(const toml::node& value) const {
    const std::string words = text(value, "what is required");
    try {
      return read_requirements(words);
    } catch (const Error& error) {
      fail(line_of(value), error.what());
    }
  }

  int integer(const toml::node& value, const std::string& key, int least, int most) const {
    const auto found = value.value_exact<std::int64_t>();
    if (!found || *found < least || *found > most) {
      fail(line_of(value),
           "'" + key + "' is a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<int>(*found);
  }

  void read_schemas(const toml::node& value) {
    const toml::array* array = value.as_array();
    if (array == nullptr || array->empty()) {
      fail(line_of(value), "'schemas' is a list with one schema at least, such as [\"unary(x)\"]");
    }
    if (array->size() > kMostSchemas) fail(line_of(value), "more than " + std::to_string(kMostSchemas) + " schemas");
    for (const toml::node& element : *array) {
      definition_.schemas.push_back(text(element, "a schema"));
      schema_lines_.push_back(line_of(element));
    }
  }

  std::vector<Op> operators(const toml::node& value, const std::string& key, std::optional<int> arity) {
    list_lines_.emplace_back(key, line_of(value));
    if (const auto set = value.value_exact<std::string>(); set && arity) {
      const auto found = operator_set(*set, *arity);
      if (found) return *found;
      fail(line_of(value), "unknown set of operators '" + *set + "'; there are \"pangaea\" and \"cafe\", or a list");
    }
    const toml::array* array = value.as_array();
    if (array == nullptr) fail(line_of(value), "'" + key + "' is a list of operators, such as [\"relu\", \"tanh\"]");
    std::vector<Op> ops;
    for (const toml::node& element : *array) {
      const std::string name = text(element, "an operator");
      const OpInfo* info = find_op_or_alias(name);
      if (info == nullptr) {
        fail(line_of(element), "unknown operator '" + name + "'" + did_you_mean(name, op_names()));
      }
      ops.push_back(info->op);
      check_list(key, ops, arity, line_of(element));
    }
    check_list(key, ops, arity, line_of(value));
    return ops;
  }

  // After every operator, so that the line is that of the one at fault.
  void check_list(const std::string& key, const std::vector<Op>& ops, std::optional<int> arity,
                  toml::source_index line) const {
    try {
      make_list(key, ops, arity);
    } catch (const Error& error) {
      fail(line, error.what());
    }
  }

  void read_list(const std::string& name, const toml::node& value) {
    try {
      check_list_name(name);
    } catch (const Error& error) {
      fail(line_of(value), error.what());
    }
    std::vector<Op> ops = operators(value, name, std::nullopt);
    definition_.lists.push_back(make_list(name, std::move(ops)));
  }

  std::string origin_;
  SpaceDefinition definition_;
  std::vector<toml::source_index> schema_lines_;
  std::vector<std::pair<std::string, toml::source_index>> list_lines_;
  toml::source_index max_nodes_line_ = 1;
};

std::string quoted_list(const std::vector<Op>& ops) {
  std::string text;
  for (const Op op : ops) text += (text.empty() ? "\"" : ", \"") + std::string(op_info(op).name) + "\"";
  return "[" + text + "]";
}

// A set by its name where it has one.
std::string operators_toml(const std::vector<Op>& ops, int arity) {
  const std::string name = operator_set_name(ops, arity);
  return name.empty() ? quoted_list(ops) : "\"" + name + "\"";
}

}  // namespace

Space parse_space(std::string_view toml, const std::string& origin) { return Reader(origin).read(toml); }

Space read_space_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kLargestFile + 1, '\0');
  if (!file || !file.read(text.data(), static_cast<std::streamsize>(text.size())).eof()) {
    if (file.gcount() > 0) throw Error(ErrorCode::kBadInput, path + ": larger than 1 MB, which no space file is");
    throw Error(ErrorCode::kBadInput, "cannot read the space file '" + path + "'");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_space(text, path);
}

std::string space_toml(const Space& space) {
  const SpaceDefinition& d = space.definition();
  std::ostringstream out;
  out << "name = " << toml::value<std::string>(d.name) << "\n";
  if (d.max_nodes) {
    out << "max_nodes = " << *d.max_nodes << "\n";
  } else {
    out << "schemas = [\n";
    for (const Schema& schema : space.schemas()) out << "  \"" << schema.text(space.lists()) << "\",\n";
    out << "]\n";
  }
  out << "parameters = " << d.parameters << "\n";
  if (d.require) out << "require = \"" << requirements_text(*d.require) << "\"\n";
  if (space.uses("unary")) out << "unary = " << operators_toml(d.unary, 1) << "\n";
  if (space.uses("binary")) out << "binary = " << operators_toml(d.binary, 2) << "\n";
  if (space.uses("nary")) out << "nary = " << operators_toml(d.nary, kVariadic) << "\n";
  bool has_lists = false;
  for (const OperatorList& list : d.lists) {
    if (!space.uses(list.name)) continue;
    out << (has_lists ? "" : "\n[lists]\n") << list.name << " = " << quoted_list(list.ops) << "\n";
    has_lists = true;
  }
  return out.str();
}

}  // namespace actforge
