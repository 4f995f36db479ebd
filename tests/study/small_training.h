#pragma once

#include "actforge/search/settings/study_settings.h"

namespace actforge {

// Settings of a study that would train a small network, for what is decided before anything is trained.
inline StudySettings small_training() {
  StudySettings settings;
  settings.net = "mlp-1-16";
  settings.data = "digits";
  settings.trials = 4;
  complete_settings(settings);
  return settings;
}

}  // namespace actforge
