#pragma once

#include <vector>

#include "actforge/data/dataset.h"
#include "actforge/net/graph/network.h"
#include "actforge/recipe/train_options.h"
#include "actforge/search/settings/study_settings.h"

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
