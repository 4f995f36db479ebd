#include "actforge/space/find_space.h"

#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/space_file.h"

namespace actforge {
namespace {

struct Definition {
  SpaceDefinition space;
  std::vector<std::size_t> schema_positions = {};  // where schemas were written out
};

Definition split_schemas(const std::string& text) {
  Definition result{.space = {.name = text}};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    result.space.schemas.push_back(text.substr(at, end - at));
    result.schema_positions.push_back(at);
    at = end + 1;
  }
  return result;
}

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

Definition define(const std::string& text) {
  if (const auto builtin = find_builtin_space(text)) return {*builtin};
  std::error_code ignored;
  const bool named_as_file = text.ends_with(".toml");
  if (named_as_file || std::filesystem::is_regular_file(text, ignored)) return {read_space_file(text).definition()};
  if (text.find('(') != std::string::npos) return split_schemas(text);
  unknown(text);
}

}  // namespace

Space find_space(const std::string& text, const SpaceOverrides& overrides) {
  Definition definition = define(text);
  SpaceDefinition& space = definition.space;
  if (overrides.unary) space.unary = *overrides.unary;
  if (overrides.binary) space.binary = *overrides.binary;
  if (overrides.nary) space.nary = *overrides.nary;
  if (overrides.parameters) space.parameters = *overrides.parameters;
  if (overrides.any()) space.name += " (changed)";
  std::size_t schema = 0;
  try {
    return Space(space, &schema);
  } catch (const Error& error) {
    if (!error.position() || schema >= definition.schema_positions.size()) throw;
    throw Error(error.code(), error.what(), definition.schema_positions[schema] + *error.position());
  }
}

}  // namespace actforge
