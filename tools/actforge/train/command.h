#pragma once

#include <map>
#include <optional>
#include <string>

#include "actforge/torch/train/trainer.h"
#include "tools/actforge/net/options.h"

namespace actforge::tool {

// What `actforge train` was asked.
struct TrainCommand {
  std::string net = "allcnn-mini";
  std::string data = "digits";
  ActivationOptions activations;
  std::optional<std::string> recipe;
  std::map<std::string, std::string> fields;  // what overrides the recipe
  std::optional<std::uint64_t> subset, validation;
  std::uint64_t seed = 0, threads = 0;
  std::string device = "cpu";
  double time_limit = 0;
  double checkpoint_every = TrainJob{}.checkpoint_every;
  std::string checkpoint, save;
  bool resume = false, test = false, json = false, list = false;
};

}  // namespace actforge::tool
