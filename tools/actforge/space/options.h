#pragma once

#include <optional>
#include <string>

#include "actforge/space/space.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

// How a space is given on the command line.
struct SpaceOptions {
  std::string space;
  std::optional<std::string> unary, binary, nary;
  int parameters = -1;
  int max_nodes = -1;
  std::optional<std::string> require;
};

// As the argument SPACE, or as --space, which must be given unless the caller says otherwise.
void add_space_argument(CLI::App& verb, SpaceOptions& options);
CLI::Option* add_space_option(CLI::App& verb, SpaceOptions& options);
// Of verbs that draw functions.
void add_require(CLI::App& verb, SpaceOptions& options);
Space read_space(const SpaceOptions& options);

// A whole number of any size from the command line.
Integer read_integer(const std::string& text, const std::string& option);
// One JSON answer is held in memory whole: throws Error (kUsage) when it would be too large.
void check_json_size(bool json, const Integer& functions, const std::string& hint = {});
// As a JSON number; as text where it has more than 64 bits.
nlohmann::json integer_json(const Integer& number);

}  // namespace actforge::tool
