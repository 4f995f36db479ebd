#include "actforge/space/fingerprint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "actforge/base/portable_normal.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/reference.h"

namespace actforge {

std::vector<float> fingerprint_inputs(const FingerprintOptions& options) {
  Random random(options.seed, 0, "unique");
  std::vector<float> inputs;
  inputs.reserve(options.inputs);
  while (inputs.size() < options.inputs) {
    const double x = portable_normal(random);
    if (std::fabs(x) <= 5) inputs.push_back(static_cast<float>(x));
  }
  for (float x = 5.25F; options.far && x < 10; x += 0.5F) inputs.insert(inputs.end(), {x, -x});
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

namespace {

// Parameters that a user could not tell apart but for their names.
bool can_change_places(const Parameter& a, const Parameter& b) { return a.initial == b.initial && a.scope == b.scope; }

}  // namespace

Fingerprinter::Fingerprinter(const FingerprintOptions& options, std::string_view target)
    : options_(options),
      target_(target.empty() ? portable_table().name : target),
      inputs_(fingerprint_inputs(options)) {
  constexpr std::uint32_t kKnown = 4;
  for (std::uint32_t index = 0; index < kKnown; ++index) known_values_.push_back(parameter_values(index));
}

std::vector<float> Fingerprinter::parameter_values(std::uint32_t index) const {
  Random random(options_.seed, index, "fingerprint parameters");
  std::vector<float> values(inputs_.size());
  for (float& value : values) value = static_cast<float>(portable_normal(random));
  return values;
}

Hash128 Fingerprinter::operator()(const Expr& expr) const {
  const Kernel kernel(expr, target_);
  const std::span<const Parameter> parameters = kernel.parameters();
  std::vector<std::vector<float>> further;
  further.reserve(parameters.size());
  std::vector<ParameterView> views;
  for (std::uint32_t i = 0; i < parameters.size(); ++i) {
    if (i >= known_values_.size()) further.push_back(parameter_values(i));
    const std::vector<float>& values = i < known_values_.size() ? known_values_[i] : further.back();
    views.push_back({.values = values.data(), .count = values.size()});
  }
  std::vector<float> outputs(inputs_.size());
  const auto fingerprint = [&](std::span<const ParameterView> order) {
    kernel.forward({.x = inputs_, .y = outputs, .parameters = order});
    return hash_outputs(outputs);
  };
  const bool all_alike =
      std::ranges::all_of(parameters, [&](const Parameter& p) { return can_change_places(p, parameters[0]); });
  if (parameters.size() < 2 || parameters.size() > known_values_.size() || !all_alike) return fingerprint(views);
  // The least over all ways to name them.
  std::vector<std::size_t> order(views.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Hash128 least = fingerprint(views);
  while (std::ranges::next_permutation(order).found) {
    std::vector<ParameterView> renamed(views.size());
    for (std::size_t i = 0; i < order.size(); ++i) renamed[i] = views[order[i]];
    least = std::min(least, fingerprint(renamed));
  }
  return least;
}

namespace {

// The mean over the outputs that are finite; 0 where there are none.
template <class Value>
double finite_mean(std::span<const double> outputs, const Value& value) {
  double sum = 0, count = 0;
  for (const double output : outputs) {
    if (!std::isfinite(output)) continue;
    sum += value(output);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

// `most`: in units of the root mean square.
std::uint64_t rounded_output(double output, double most) {
  constexpr double kSteps = 1 << 20;
  if (std::isnan(output)) return 1ULL << 63;
  return static_cast<std::uint64_t>(std::llround(std::clamp(output, -most, most) * kSteps));
}

}  // namespace

Hash128 shape_fingerprint(const Expr& expr, Sameness sameness) {
  static const std::vector<float> inputs = fingerprint_inputs({.far = true});
  Reference reference(expr);
  const std::size_t parameters = reference.parameters().size();
  std::vector<double> outputs;
  outputs.reserve(inputs.size());
  Random random(0, 0, "fingerprint parameters");
  for (const float input : inputs) {
    for (std::size_t i = 0; i < parameters; ++i) reference.set_parameter(i, portable_normal(random));
    outputs.push_back(reference.value(static_cast<double>(input)));
  }
  const std::span<const double> near = std::span(outputs).first(FingerprintOptions().inputs);
  const double shift = sameness == Sameness::kScaleAndShift ? finite_mean(near, [](double y) { return y; }) : 0;
  for (double& output : outputs) output -= shift;
  const double square = finite_mean(near, [](double y) { return y * y; });
  const double scale = square > 0 && std::isfinite(square) ? 1 / std::sqrt(square) : 1;
  Hasher hasher;
  // Far away some functions are so large that their last bits would be more than a step.
  constexpr double kMost = 1e12, kMostFar = 1e4;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    hasher.add(rounded_output(outputs[i] * scale, i < near.size() ? kMost : kMostFar));
  }
  return hasher.finish();
}

}  // namespace actforge
