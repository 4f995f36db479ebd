#include "actforge/space/find_space.h"

#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/space_file.h"

namespace actforge {
namespace {

[[noreturn]] void unknown(const std::string& text) {
  std::vector<std::string_view> names;
  for (const BuiltinSpace& row : builtin_spaces()) names.push_back(row.name);
  throw_unknown("space", text, names, ErrorCode::kBadInput,
                ", a schema such as binary(unary(x),unary(x)), or a TOML file");
}

void apply(const SpaceOverrides& overrides, SpaceDefinition& space) {
  if (overrides.unary) space.unary = *overrides.unary;
  if (overrides.binary) space.binary = *overrides.binary;
  if (overrides.nary) space.nary = *overrides.nary;
  if (overrides.parameters) space.parameters = *overrides.parameters;
  if (overrides.max_nodes) {
    if (!space.max_nodes) {
      throw Error(ErrorCode::kUsage, "a number of nodes is for spaces of graphs, such as pangaea; '" + space.name +
                                         "' is a union of schemas");
    }
    space.max_nodes = overrides.max_nodes;
  }
  if (overrides.require) space.require = overrides.require;
  if (overrides.any()) space.name += " (changed)";
}

// A file, or a pipe such as a shell's <(...).
bool is_readable(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

// Operators for a place that no schema has would be ignored.
Space with_all_used(Space space, const SpaceOverrides& overrides) {
  const std::pair<const char*, bool> given[] = {{"unary", overrides.unary.has_value()},
                                                {"binary", overrides.binary.has_value()},
                                                {"nary", overrides.nary.has_value()}};
  for (const auto& [name, is_given] : given) {
    if (is_given && !space.uses(name)) {
      throw Error(ErrorCode::kUsage,
                  "no schema of the space uses '" + std::string(name) + "', for which operators are given");
    }
  }
  return space;
}

}  // namespace

Space space_of_schemas(const std::string& text, const SpaceOverrides& overrides) {
  SpaceDefinition definition{.name = text};
  std::vector<std::size_t> positions;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    definition.schemas.push_back(text.substr(at, end - at));
    positions.push_back(at);
    at = end + 1;
  }
  apply(overrides, definition);
  std::size_t schema = 0;
  try {
    return with_all_used(Space(definition, &schema), overrides);
  } catch (const Error& error) {
    if (!error.position()) throw;
    throw Error(error.code(), error.what(), positions[schema] + *error.position());
  }
}

Space find_space(const std::string& text, const SpaceOverrides& overrides) {
  std::optional<SpaceDefinition> definition = find_builtin_space(text);
  if (!definition && (text.ends_with(".toml") || is_readable(text))) {
    definition = read_space_file(text).definition();
  }
  if (!definition && text.find('(') != std::string::npos) return space_of_schemas(text, overrides);
  if (!definition) unknown(text);
  apply(overrides, *definition);
  return with_all_used(Space(*definition), overrides);
}

}  // namespace actforge
