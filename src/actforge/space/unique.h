#pragma once

#include <vector>

#include "actforge/base/hash.h"
#include "actforge/base/run_context.h"
#include "actforge/space/fingerprint.h"
#include "actforge/space/space.h"

namespace actforge {

struct UniqueOptions {
  FingerprintOptions fingerprint = {};
  // Progress is called "functions". The answer depends neither on the threads nor on this seed.
  RunContext run = {.threads = 0};
  bool keep_classes = true;           // false: only count, in less memory
  Integer from = 0;                   // compare the functions from this index on,
  std::optional<Integer> count = {};  // so many; all the rest where it does not say
};

// Each takes about 100 bytes.
inline constexpr std::uint64_t kMostCompared = 100'000'000;

// Functions of a space put into classes of equal ones. Functions are named by their offset from `from`.
struct UniqueFunctions {
  std::uint64_t total = 0;
  std::uint64_t unique = 0;
  std::uint64_t evaluated = 0;  // those whose canonical form had not been seen
  // With keep_classes: the first function of each class, in ascending order, its fingerprint, and for every function
  // the class that it is in.
  std::vector<std::uint32_t> representatives;
  std::vector<Hash128> fingerprints;
  std::vector<std::uint32_t> class_of;

  // The functions of every class in ascending order, the representative first.
  std::vector<std::vector<std::uint32_t>> members() const;
};

// Two functions are the same when their canonical forms are, or their outputs (see FingerprintOptions).
// Throws Error when there are more than kMostCompared, or the run is told to stop.
UniqueFunctions find_unique(const Space& space, const UniqueOptions& options = {});

}  // namespace actforge
