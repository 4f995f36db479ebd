#include "actforge/space/fingerprint.h"

#include <bit>
#include <cmath>

#include "actforge/base/random.h"
#include "actforge/expr/kernel.h"

namespace actforge {

std::vector<float> fingerprint_inputs(const FingerprintOptions& options) {
  Random random(options.seed, 0, "unique");
  std::vector<float> inputs;
  inputs.reserve(options.inputs);
  while (inputs.size() < options.inputs) {
    const double x = random.normal();
    if (std::fabs(x) <= 5) inputs.push_back(static_cast<float>(x));
  }
  return inputs;
}

Hash128 hash_outputs(std::span<const float> outputs) {
  thread_local std::vector<std::uint32_t> words;
  words.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(outputs[i]);
    constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000, kNan = 0x7fc00000;
    const std::uint32_t magnitude = bits & kMagnitude;
    words[i] = magnitude > kInfinity ? kNan : magnitude == 0 ? 0 : bits;
  }
  return Hasher().add(std::span<const std::uint32_t>(words)).finish();
}

Fingerprinter::Fingerprinter(const FingerprintOptions& options)
    : options_(options), inputs_(fingerprint_inputs(options)) {}

Hash128 Fingerprinter::operator()(const Expr& expr) const {
  const Kernel kernel(expr);
  std::vector<std::vector<float>> values;
  std::vector<ParameterView> views;
  for (const Parameter& parameter : kernel.parameters()) {
    Random random(options_.seed, parameter.index, "fingerprint parameters");
    values.emplace_back(inputs_.size());
    for (float& value : values.back()) value = static_cast<float>(random.normal());
  }
  for (const std::vector<float>& list : values) views.push_back({.values = list.data(), .count = list.size()});
  std::vector<float> outputs(inputs_.size());
  kernel.forward({.x = inputs_, .y = outputs, .parameters = views});
  return hash_outputs(outputs);
}

}  // namespace actforge
