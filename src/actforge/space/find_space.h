#pragma once

#include <optional>
#include <string>

#include "actforge/space/space.h"

namespace actforge {

// What to replace in a space that was given by name, schema or file.
struct SpaceOverrides {
  std::optional<std::vector<Op>> unary = {};
  std::optional<std::vector<Op>> binary = {};
  std::optional<std::vector<Op>> nary = {};
  std::optional<int> parameters = {};
  std::optional<int> max_nodes = {};         // of a graph space
  std::optional<Requirements> require = {};  // leaves the set of functions, and its name, as they are

  bool any() const { return unary || binary || nary || parameters || max_nodes; }
};

// The union of schemas separated by '|'. An Error has its position in `text`.
Space space_of_schemas(const std::string& text, const SpaceOverrides& overrides = {});

// A space from what a user wrote: the name of a built-in one, a TOML file, or schemas separated by '|'. An Error about
// a schema has its position in `text`.
Space find_space(const std::string& text, const SpaceOverrides& overrides = {});

}  // namespace actforge
