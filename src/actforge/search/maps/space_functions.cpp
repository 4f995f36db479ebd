#include "actforge/search/maps/space_functions.h"

#include <algorithm>
#include <numeric>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/graph.h"
#include "actforge/space/unique.h"

namespace actforge {
namespace {

// `count` of the numbers below `total`, each set of them equally likely; rising.
std::vector<std::size_t> choose(std::size_t count, std::size_t total, std::uint64_t seed) {
  std::vector<std::size_t> numbers(total);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  if (count >= total) return numbers;
  Random random(seed, 0, "functions of a map");
  for (std::size_t i = 0; i < count; ++i) std::swap(numbers[i], numbers[i + random.below(total - i)]);
  numbers.resize(count);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

SpaceFunctionsCount add_unique(FunctionSet& set, const Space& space, const SpaceFunctionsOptions& options) {
  const UniqueFunctions unique = find_unique(space, {.fingerprint = kKeyFingerprint, .run = options.run});
  const std::vector<std::size_t> chosen =
      choose(options.count.value_or(unique.unique), unique.unique, options.run.seed);
  std::vector<Expr> functions(chosen.size());
  std::vector<Hash128> canonical_hashes(chosen.size());
  parallel_for(thread_count(options.run.threads), chosen.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      options.run.check();
      functions[i] = space.at(unique.representatives[chosen[i]]);
      canonical_hashes[i] = canonical(functions[i]).hash();
    }
  });
  const std::size_t before = set.size();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    set.add(std::move(functions[i]), function_key(canonical_hashes[i], unique.fingerprints[chosen[i]]));
  }
  return {.unique = unique.unique, .added = set.size() - before};
}

// Ends early in a space that has hardly more functions than are wanted.
SpaceFunctionsCount add_drawn(FunctionSet& set, const Space& space, const SpaceFunctionsOptions& options) {
  constexpr std::uint64_t kMostInVain = 1000;  // draws in a row that bring nothing new
  const std::size_t before = set.size();
  const std::size_t count = options.count.value();
  Random random(options.run.seed, 0, "functions of a map");
  for (std::uint64_t in_vain = 0; set.size() - before < count && in_vain < kMostInVain;) {
    const std::size_t size = set.size();
    set.add(space.sample(random));
    in_vain = set.size() > size ? 0 : in_vain + 1;
    if (size % 256 == 0) options.run.show("functions", size - before, count);
  }
  return {.added = set.size() - before};
}

}  // namespace

SpaceFunctionsCount add_functions(FunctionSet& set, const Space& space, const SpaceFunctionsOptions& options) {
  const bool is_small = space.total() <= kMostEnumerated;
  if (is_small && !(options.draw && options.count)) return add_unique(set, space, options);
  if (!options.count) {
    throw Error(ErrorCode::kUsage, space.name() + " has " + with_commas(space.total()) +
                                       " functions, too many to compare with each other; say how many to draw");
  }
  return add_drawn(set, space, options);
}

}  // namespace actforge
