#pragma once

#include <string>
#include <vector>

#include "actforge/recipe/train_options.h"

namespace actforge {

// "60,120,160" as rising numbers of epochs. Throws Error (kUsage).
std::vector<double> read_drops(const std::string& text);

// The learning rate at a time counted in epochs: 1.5 is the middle of the second one.
//   warm-up   linear from warmup_from to learning_rate; what follows is counted from its end
//   step      learning_rate · drop_factor^(drops that lie behind)
//   linear    straight to final_rate at the end
//   cosine    half a wave to final_rate at the end
double learning_rate_at(const TrainOptions& options, double epoch);

}  // namespace actforge
