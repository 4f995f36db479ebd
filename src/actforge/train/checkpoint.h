#pragma once

#include <map>
#include <string>

#include "actforge/train/model.h"
#include "actforge/train/optimizer.h"
#include "actforge/train/trainer.h"

namespace actforge {

// How far a run is.
struct TrainState {
  std::uint64_t epoch = 0;  // whole epochs behind
  std::uint64_t step = 0;   // steps behind in this one
  double loss_sum = 0;      // over the images of this epoch
  std::uint64_t correct = 0;
  std::uint64_t images = 0;
  double seconds = 0;         // of training and validation, over all sittings
  double step_seconds = 0;    // of training alone
  std::uint64_t trained = 0;  // images over all epochs
  std::vector<EpochScore> curve = {};
};

// What must be the same for a run to go on: names and values.
using RunSettings = std::map<std::string, std::string>;
RunSettings run_settings(const TrainRun& run);

void save_checkpoint(const std::string& path, const RunSettings& settings, Model& model, Optimizer& optimizer,
                     const TrainState& state);
// Throws Error (kBadInput) where the file is none, or belongs to another run: then it names the settings that differ.
TrainState load_checkpoint(const std::string& path, const RunSettings& settings, Model& model, Optimizer& optimizer);

// The weights alone, as a safetensors file.
void save_weights(const std::string& path, Model& model);

}  // namespace actforge
