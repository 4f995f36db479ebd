#pragma once

#include <string>

#include "actforge/fisher/fisher.h"
#include "actforge/search/train_tasks.h"

namespace actforge {

// How the spectra of a study's functions are measured: on its first task, under its own settings. What a store needs to
// know to keep them apart from others (StudyFeatures::group), for whoever measures them and whoever reads them.
struct SpectrumConditions {
  TrainTask task = {};
  FisherRun run = {};
  std::string group = {};
};

// Of `options` all but the initialiser, which is the study's. Throws Error where the study does not train.
SpectrumConditions spectrum_conditions(const StudySettings& settings, const FisherOptions& options = {});

}  // namespace actforge
