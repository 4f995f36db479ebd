#pragma once

#include <string>

#include "actforge/search/settings/train_tasks.h"
#include "actforge/spectrum/spectrum_task.h"

namespace actforge {

// How the spectra of a study's functions are measured: on its first task, under its own settings. What a store needs to
// know to keep them apart from others (StudyFeatures::group), for whoever measures them and whoever reads them.
struct SpectrumConditions {
  TrainTask task = {};
  SpectrumTask spectrum = {};
  std::string group = {};
  std::string normal_form = "none";  // in which functions are put into the network
};

// Of `options` all but the initialiser, which is the study's. Throws Error where the study does not train.
SpectrumConditions spectrum_conditions(const StudySettings& settings, const FisherOptions& options = {});

// The group in which spectra of a study's functions are, however they get there: measured, or out of a table.
std::string spectrum_group(const StudySettings& settings);

// The same conditions as today's version writes them, for groups of older ones; any other text stays as it is.
std::string current_spectrum_group(const std::string& group);

}  // namespace actforge
