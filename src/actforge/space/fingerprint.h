#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/base/hash.h"
#include "actforge/expr/language/expr.h"

namespace actforge {

// The dissertation's rule for telling functions apart (paragraph "Unique Activation Functions"): equal outputs for
// these inputs, in float32.
struct FingerprintOptions {
  std::size_t inputs = 1000;
  std::uint64_t seed = 0;  // the inputs come from it
  // Also at places between 5 and 10 on either side, where min(relu(x), 6) is not relu(x).
  bool far = false;
};

// From the standard normal distribution truncated to [-5, 5]; then those that are far.
std::vector<float> fingerprint_inputs(const FingerprintOptions& options);

// -0 and +0 are the same output, and so are all NaN.
Hash128 hash_outputs(std::span<const float> outputs);

// Which functions count as equal: those with the same outputs; those that differ by a positive factor; or those that
// differ by a positive factor and a constant.
enum class Sameness : std::uint8_t { kOutputs, kScale, kScaleAndShift };

// A fingerprint that factors, or factors and constants, do not change: of outputs in double precision, from which the
// mean is taken where the constant is not to count, divided by their root mean square (both of inputs that are not far)
// and rounded to multiples of
// 2^-20. Outputs of equal functions differ by some 2^-50, so one of a thousand lies on the border of two multiples once
// in a million functions; these two then count as different, which costs an evaluation. Outputs that are not finite are
// left out of mean and square. Parameters are treated as Fingerprinter does, but what they are called matters.
Hash128 shape_fingerprint(const Expr& expr, Sameness sameness);

// The fingerprint of a single function. Learnable parameters take a different value for every input, the same in every
// function: alpha*relu(x) and relu(alpha*x), equal at alpha = 1, are different functions. What parameters are called
// does not matter, as long as there are at most four, all with the same initial value and scope.
//
// Fingerprints are the same on every machine: inputs come from portable_normal(), outputs from portable_table(), and
// constants that were folded from constant_value(). Change kFingerprintVersion (function_key.h) with whatever changes
// them.
class Fingerprinter {
 public:
  // `target` names an instruction set with fused multiply-add, for tests; empty is the best.
  explicit Fingerprinter(const FingerprintOptions& options = {}, std::string_view target = {});
  Hash128 operator()(const Expr& expr) const;

 private:
  std::vector<float> parameter_values(std::uint32_t index) const;

  FingerprintOptions options_;
  std::string_view target_;
  std::vector<float> inputs_;
  std::vector<std::vector<float>> known_values_;  // of the first parameters
};

}  // namespace actforge
