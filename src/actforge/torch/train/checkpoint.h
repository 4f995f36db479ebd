#pragma once

#include <map>
#include <string>

#include "actforge/torch/execute/model.h"
#include "actforge/torch/train/optimizer.h"
#include "actforge/torch/train/trainer.h"

namespace actforge {

// The progress of a training.
struct TrainState {
  std::uint64_t epoch = 0;  // completed epochs
  std::uint64_t step = 0;   // completed steps of this one
  double loss_sum = 0;      // over the images of this epoch
  std::uint64_t correct = 0;
  std::uint64_t images = 0;
  double seconds = 0;         // of training and validation, over all sessions
  double step_seconds = 0;    // of training alone
  std::uint64_t trained = 0;  // images over all epochs
  std::vector<EpochScore> curve = {};
};

// What must be the same for a training to continue: names and values.
using TrainSettings = std::map<std::string, std::string>;
TrainSettings train_settings(const TrainJob& job);

void save_checkpoint(const std::string& path, const TrainSettings& settings, Model& model, Optimizer& optimizer,
                     const TrainState& state);
// Throws Error (kBadInput) if it is not a checkpoint, or one of another training: then it names the settings that
// differ.
TrainState load_checkpoint(const std::string& path, const TrainSettings& settings, Model& model, Optimizer& optimizer);

// The weights alone, as a safetensors file.
void save_weights(const std::string& path, Model& model);

}  // namespace actforge
