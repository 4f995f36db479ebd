#pragma once

#include <memory>

#include "actforge/base/hash.h"
#include "actforge/space/fingerprint.h"
#include "actforge/space/space.h"

namespace actforge {

// Canonical hashes and fingerprints of a space's functions, one after another. Not shared between threads.
class FunctionSource {
 public:
  virtual ~FunctionSource() = default;
  // Goes to a function and gives the hash of its canonical form.
  virtual Hash128 canonical_hash(const Integer& index) = 0;
  // Of the function where it is.
  virtual Hash128 fingerprint() = 0;
  // Lets go of what it remembers of the functions so far.
  virtual void forget() {}
};

// One source per thread: makes as many as are asked for.
class FunctionSources {
 public:
  virtual ~FunctionSources() = default;
  virtual std::unique_ptr<FunctionSource> make() const = 0;
};

struct SourceOptions {
  FingerprintOptions fingerprint = {};
  std::size_t threads = 1;  // to prepare what is shared
  // Functions that will be asked for: from this index to before that one, or to the end.
  Integer from = 0;
  std::optional<Integer> to = {};
};

// Builds every function on its own: right for every space, and the oracle of the other.
std::unique_ptr<FunctionSources> plain_sources(const Space& space, const FingerprintOptions& options);
// Evaluates what functions share only once. For spaces that can_share.
std::unique_ptr<FunctionSources> shared_sources(const Space& space, const SourceOptions& options);
// Not those whose functions have learnable parameters, be they on edges or inside named functions, nor those with
// schemas of more than 2^63 functions.
bool can_share(const Space& space);

}  // namespace actforge
