#pragma once

#include <optional>
#include <string>

#include "actforge/space/space.h"
#include "actforge/verb.h"

namespace actforge::tool {

// How a space is given on the command line.
struct SpaceOptions {
  std::string space;
  std::optional<std::string> unary, binary, nary;
  int parameters = -1;

  bool has_changes() const { return parameters >= 0 || unary || binary || nary; }
};

// As the argument SPACE, or as --space.
void add_space_argument(CLI::App& verb, SpaceOptions& options);
void add_space_option(CLI::App& verb, SpaceOptions& options);
Space read_space(const SpaceOptions& options);

// A whole number of any size from the command line.
Integer read_integer(const std::string& text, const std::string& option);
// As a JSON number; as text where it has more than 64 bits.
nlohmann::json integer_json(const Integer& number);

}  // namespace actforge::tool
