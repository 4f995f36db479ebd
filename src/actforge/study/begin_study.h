#pragma once

#include <memory>
#include <string>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"
#include "actforge/study/study.h"

namespace actforge {

struct BeginOptions {
  bool retry = false;       // what was set aside is tried again
  bool may_switch = false;  // a study that is there may go on with another strategy
};

// Makes a new study; or goes on with one that is there, with settings that may differ from its own where that does not
// make it another study, and notes so. `settings` are completed.
// Throws Error.
std::unique_ptr<Store> begin_study(const std::string& location, const StudySettings& settings,
                                   const BeginOptions& options = {});

// The study at a location; or that of a study file (.toml), which is made if there is none yet. Throws Error.
OpenStudy open_or_begin_study(const std::string& location);

}  // namespace actforge
