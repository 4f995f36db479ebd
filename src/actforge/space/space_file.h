#pragma once

#include <string>
#include <string_view>

#include "actforge/space/space.h"

namespace actforge {

// A space from TOML text; `origin` is the file's name, for messages. Every error says on which line and why.
//   name = "gated"
//   schemas = ["mul(unary(x),gate(unary(x)))", "unary(x)"]    or  max_nodes = 5
//   unary = ["relu", "tanh"]                                  or  "pangaea", "cafe"; so for binary, nary
//   parameters = 1
//   require = "not-constant,finite,cost<=8"
//   [lists]
//   gate = ["sigmoid", "hard_sigmoid"]
Space parse_space(std::string_view toml, const std::string& origin);
Space read_space_file(const std::string& path);

// The definition as TOML; parse_space gives the same space back.
std::string space_toml(const Space& space);

}  // namespace actforge
