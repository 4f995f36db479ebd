#include "actforge/search/maps/output_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/moments/normal_form.h"
#include "actforge/space/fingerprint.h"

namespace actforge {
namespace {

void write_outputs(const Expr& function, const std::string& form, std::span<const float> inputs,
                   std::span<float> outputs) {
  try {
    Kernel(in_normal_form(function, form)).forward({.x = inputs, .y = outputs});
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBadInput) throw;  // it does not have that form
    std::ranges::fill(outputs, std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace

std::vector<float> output_inputs(const OutputOptions& options) {
  if (!options.evenly) return fingerprint_inputs({.inputs = options.inputs, .seed = options.run.seed});
  std::vector<float> inputs(options.inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = inputs.size() == 1
                    ? 0.0F
                    : static_cast<float>(-5 + 10 * static_cast<double>(i) / static_cast<double>(inputs.size() - 1));
  }
  return inputs;
}

Points output_features(std::span<const Expr> functions, const OutputOptions& options) {
  const std::vector<float> inputs = output_inputs(options);
  const float scale = 1 / std::sqrt(static_cast<float>(inputs.size()));
  Points features(functions.size(), inputs.size());
  parallel_for(thread_count(options.run.threads), functions.size(),
               [&](std::size_t begin, std::size_t end, std::size_t) {
                 for (std::size_t i = begin; i < end; ++i) {
                   options.run.check();
                   const std::span<float> row = features.row(i);
                   write_outputs(functions[i], options.normal_form, inputs, row);
                   for (float& y : row) y *= scale;
                 }
               });
  return features;
}

bool is_finite(std::span<const float> features) {
  return std::all_of(features.begin(), features.end(), [](float y) { return std::isfinite(y); });
}

}  // namespace actforge
