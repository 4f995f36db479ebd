#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/expr/ops/op.h"

namespace actforge {

// The published lists by name, "pangaea" or "cafe", for one arity; nothing for another name. The n-ary operators of
// AQuaSurF belong to both.
std::optional<std::vector<Op>> operator_set(std::string_view name, int arity);
// The name of the set that these operators are, or an empty string.
std::string operator_set_name(const std::vector<Op>& ops, int arity);

// Operators as a command line has them: "pangaea", "cafe" or "relu,tanh". Throws Error with a position.
std::vector<Op> read_operators(std::string_view text, int arity);

}  // namespace actforge
