#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "actforge/base/option_field.h"

namespace actforge {

// How a network is trained. What each field means stands once, in the table of train_options.cpp, from which the
// command line's help, recipes and the settings in results come too.
struct TrainOptions {
  std::uint64_t epochs = 10;
  std::uint64_t batch = 64;
  std::string optimizer = "nesterov";
  double learning_rate = 0.05;
  double momentum = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  std::string decay = "l2";
  std::string schedule = "cosine";
  double warmup = 0;
  double warmup_from = 0;
  std::string drops = "";
  double drop_factor = 0.1;
  double final_rate = 0;
  double label_smoothing = 0;
  double parameter_rate = 1;
  double parameter_decay = 0;
  std::string normalise = "standard";
  bool flip = false;
  std::uint64_t pad = 0;
  std::string init = "glorot-uniform";
  std::string layout = "channels-last";
  std::string backend = "fused";
  std::uint64_t chance_epochs = 10;
  double largest_weight = 1e4;
};

using TrainField = OptionField<TrainOptions>;
std::span<const TrainField> train_fields();

// Checks what depends on several fields. Throws Error (kUsage).
void check_options(const TrainOptions& options);

// A named set of options: one row in recipes.cpp.
struct Recipe {
  std::string_view name;
  std::string_view summary;
  TrainOptions (*options)();
};
std::span<const Recipe> recipes();
// Throws Error (kUsage) with the nearest name.
const Recipe& find_recipe(std::string_view name);

// The recipe that belongs to a network of the zoo; that for small ones of a file.
std::string recipe_of(const std::string& net);
// A recipe with some of its fields replaced. Throws Error (kUsage) for values that cannot be.
TrainOptions recipe_options(std::string_view recipe, const std::map<std::string, std::string>& fields);

}  // namespace actforge
