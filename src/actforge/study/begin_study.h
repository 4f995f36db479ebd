#pragma once

#include <memory>
#include <string>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// Makes a new study; or goes on with one that is there, with settings that may differ from its own where that does not
// make it another study, and notes so. `settings` are completed. With `retry`, what was set aside is tried again.
// Throws Error.
std::unique_ptr<Store> begin_study(const std::string& location, const StudySettings& settings, bool retry = false);

}  // namespace actforge
