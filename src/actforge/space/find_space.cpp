#include "actforge/space/find_space.h"

#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/space_file.h"

namespace actforge {
namespace {

[[noreturn]] void unknown(const std::string& text) {
  std::vector<std::string_view> names;
  std::string list;
  for (const BuiltinSpace& row : builtin_spaces()) {
    names.push_back(row.name);
    list += std::string(list.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(ErrorCode::kBadInput, "unknown space '" + text + "'" + did_you_mean(text, names) + " (there are: " +
                                        list + ", a schema such as binary(unary(x),unary(x)), or a TOML file)");
}

void apply(const SpaceOverrides& overrides, SpaceDefinition& space) {
  if (overrides.unary) space.unary = *overrides.unary;
  if (overrides.binary) space.binary = *overrides.binary;
  if (overrides.nary) space.nary = *overrides.nary;
  if (overrides.parameters) space.parameters = *overrides.parameters;
  if (overrides.any()) space.name += " (changed)";
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
    return Space(definition, &schema);
  } catch (const Error& error) {
    if (!error.position()) throw;
    throw Error(error.code(), error.what(), positions[schema] + *error.position());
  }
}

Space find_space(const std::string& text, const SpaceOverrides& overrides) {
  std::error_code ignored;
  std::optional<SpaceDefinition> definition = find_builtin_space(text);
  if (!definition && (text.ends_with(".toml") || std::filesystem::is_regular_file(text, ignored))) {
    definition = read_space_file(text).definition();
  }
  if (!definition && text.find('(') != std::string::npos) return space_of_schemas(text, overrides);
  if (!definition) unknown(text);
  apply(overrides, *definition);
  return Space(*definition);
}

}  // namespace actforge
