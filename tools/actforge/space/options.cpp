#include "tools/actforge/space/options.h"

#include <algorithm>
#include <limits>

#include "actforge/space/find_space.h"
#include "actforge/space/operator_sets.h"

namespace actforge::tool {
namespace {

void add_lists(CLI::App& verb, SpaceOptions& options) {
  const char* kType = "OP,OP,...|pangaea|cafe";
  verb.add_option("--unary", options.unary, "Unary operators, in place of the space's own")->type_name(kType);
  verb.add_option("--binary", options.binary, "Binary operators, likewise")->type_name(kType);
  verb.add_option("--nary", options.nary, "N-ary operators, likewise")->type_name(kType);
  verb.add_option("--parameters", options.parameters, "Learnable parameters on up to this many edges of a function")
      ->type_name("N")
      ->check(CLI::Range(0, kMostSpaceParameters));
  verb.add_option("--max-nodes", options.max_nodes, "In a space of graphs, such as pangaea: largest number of nodes")
      ->type_name("N")
      ->check(CLI::Range(1, kLargestGraph));
}

std::optional<std::vector<Op>> read_list(const std::optional<std::string>& text, const std::string& option, int arity) {
  if (!text) return std::nullopt;
  return with_caret(*text, [&](const std::string& source) {
    std::vector<Op> ops = read_operators(source, arity);
    make_list(option, ops, arity);
    return std::optional(ops);
  });
}

}  // namespace

void add_space_argument(CLI::App& verb, SpaceOptions& options) {
  verb.add_option("SPACE", options.space, "A name, schemas joined by |, or a TOML file")->required();
  add_lists(verb, options);
}

CLI::Option* add_space_option(CLI::App& verb, SpaceOptions& options) {
  CLI::Option* space =
      verb.add_option("--space", options.space, "A name, schemas joined by |, or a TOML file")->common();
  add_lists(verb, options);
  return space->required()->type_name("SPACE");
}

void add_require(CLI::App& verb, SpaceOptions& options) {
  verb.add_option("--require", options.require,
                  "What functions must have to be drawn: not-constant, finite, cost<=N, by commas; none [the space's]")
      ->type_name("LIST");
}

Space read_space(const SpaceOptions& options) {
  SpaceOverrides overrides{.unary = read_list(options.unary, "--unary", 1),
                           .binary = read_list(options.binary, "--binary", 2),
                           .nary = read_list(options.nary, "--nary", kVariadic)};
  if (options.parameters >= 0) overrides.parameters = options.parameters;
  if (options.max_nodes >= 0) overrides.max_nodes = options.max_nodes;
  if (options.require) overrides.require = read_requirements(*options.require);
  return with_caret(options.space, [&](const std::string& text) { return find_space(text, overrides); });
}

Integer read_integer(const std::string& text, const std::string& option) {
  constexpr std::size_t kMostDigits = 10'000;
  const bool digits = !text.empty() && text.size() <= kMostDigits &&
                      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) throw Error(ErrorCode::kUsage, option + " takes a whole number, not '" + text + "'");
  // Boost reads a leading zero as octal.
  const std::size_t first = std::min(text.find_first_not_of('0'), text.size() - 1);
  return Integer(text.substr(first));
}

void check_json_size(bool json, const Integer& functions, const std::string& hint) {
  constexpr std::uint64_t kMost = 1'000'000;
  if (!json || functions <= kMost) return;
  throw Error(ErrorCode::kUsage, with_commas(functions) + " functions are a lot: one JSON answer holds " +
                                     with_commas(kMost) + " at most; say fewer with --count" + hint);
}

nlohmann::json integer_json(const Integer& number) {
  if (number <= std::numeric_limits<std::uint64_t>::max()) return static_cast<std::uint64_t>(number);
  return number.str();
}

}  // namespace actforge::tool
