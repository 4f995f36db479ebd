#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actforge/base/hash.h"
#include "actforge/expr/expr.h"

namespace actforge {

// The dissertation's rule for telling functions apart (paragraph "Unique Activation Functions"): equal outputs for
// these inputs, in float32.
struct FingerprintOptions {
  std::size_t inputs = 1000;
  std::uint64_t seed = 0;  // the inputs come from it
};

// From the standard normal distribution truncated to [-5, 5].
std::vector<float> fingerprint_inputs(const FingerprintOptions& options);

// -0 and +0 are the same output, and so are all NaN.
Hash128 hash_outputs(std::span<const float> outputs);

// The fingerprint of a single function. Learnable parameters take a different value for every input, the same in every
// function: alpha*relu(x) and relu(alpha*x), equal at alpha = 1, are different functions. What parameters are called
// does not matter, as long as there are at most four, all with the same initial value and scope. The outputs are those
// of this machine's best instruction set, so fingerprints of different machines may differ in rare cases; comparisons
// belong in one run.
class Fingerprinter {
 public:
  explicit Fingerprinter(const FingerprintOptions& options = {});
  Hash128 operator()(const Expr& expr) const;

 private:
  std::vector<float> parameter_values(std::uint32_t index) const;

  FingerprintOptions options_;
  std::vector<float> inputs_;
  std::vector<std::vector<float>> known_values_;  // of the first parameters
};

}  // namespace actforge
