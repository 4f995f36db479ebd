#include "actforge/search/maps/output_features.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/parallel.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/space/fingerprint.h"

namespace actforge {

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
                   Kernel(functions[i]).forward({.x = inputs, .y = row});
                   for (float& y : row) y *= scale;
                 }
               });
  return features;
}

bool is_finite(std::span<const float> features) {
  return std::all_of(features.begin(), features.end(), [](float y) { return std::isfinite(y); });
}

}  // namespace actforge
