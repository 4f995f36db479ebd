#pragma once

#include <optional>

#include "actforge/base/run_context.h"
#include "actforge/search/maps/function_set.h"
#include "actforge/space/space.h"

namespace actforge {

// Spaces of more functions are drawn from; those up to this size are compared function by function.
inline constexpr std::uint64_t kMostEnumerated = 5'000'000;

struct SpaceFunctionsOptions {
  // So many at random; nothing: all that differ.
  std::optional<std::uint64_t> count = {};
  // Draws even from a space that could be enumerated: a few functions in no time, but not all equally likely, since
  // one with many equals comes earlier.
  bool draw = false;
  // The answer does not depend on the number of threads. The one step is "functions".
  RunContext run = {.threads = 0};
};

struct SpaceFunctionsCount {
  std::optional<std::uint64_t> unique = {};  // in the whole space, where that is known
  std::uint64_t added = 0;
};

// Adds functions of a space that differ from each other, in the space's order, or as they were drawn. Throws Error
// (kUsage) where a space is too large for all of them.
SpaceFunctionsCount add_functions(FunctionSet& set, const Space& space, const SpaceFunctionsOptions& options = {});

}  // namespace actforge
