#pragma once

#include <vector>

#include "actforge/data/dataset.h"
#include "actforge/net/network.h"
#include "actforge/search/study_settings.h"
#include "actforge/train/train_options.h"

namespace actforge {

// What the evaluator `train` trains.
struct TrainTask {
  StudyTask names;
  const Dataset* dataset = nullptr;
  TrainOptions options = {};

  Network network() const;
};

// Throws Error where a network, a data set or a setting is not what it should be: all that can be known before
// training.
std::vector<TrainTask> train_tasks(const StudySettings& settings);

}  // namespace actforge
