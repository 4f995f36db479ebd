#pragma once

#include <optional>

#include "actforge/base/random.h"
#include "actforge/space/space.h"

namespace actforge {

enum class Draw { kUniform, kInitial };

struct DrawnFunction {
  Expr expr = {};
  std::optional<Integer> index = {};  // of a uniform draw
};

// A function of the space as it may be drawn: drawn again, from the same numbers, where the space refuses one.
// kInitial: as PANGAEA's first population (initial()). Throws Error (kBadInput) where one after another is refused.
DrawnFunction draw_function(const Space& space, Random& random, Draw draw = Draw::kUniform);

// How many of so many uniform draws the space does not refuse: which functions may be drawn can only be told one by
// one.
std::uint64_t count_admitted(const Space& space, std::uint64_t draws);

}  // namespace actforge
