#include "actforge/study/begin_study.h"

#include <filesystem>

#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/study/strategy_switch.h"
#include "actforge/study/study_plan.h"

namespace actforge {
namespace {

void continue_study(const std::string& location, const StudySettings& settings, const BeginOptions& options) {
  const OpenStudy study = open_study(location);
  StudySettings stored = with_moved_files(*study.store, study.settings, settings);
  const bool switches = options.may_switch && is_other_strategy(stored, settings);
  if (switches) {
    stored.strategy = settings.strategy;
    stored.options = settings.options;
  }
  continued_settings(stored, settings);
  check_inputs(*study.store, settings);
  if (switches) note_switch(*study.store, study.settings, settings);
  if (const std::string toml = study_toml(settings, false); toml != study.store->header().settings) {
    study.store->keep_settings(toml);
    note_inputs(*study.store, settings);
  }
  if (options.retry) study.store->retry_quarantined();
  study.store->add_event("resumed",
                         "trials " + std::to_string(settings.trials) + ", workers " + std::to_string(settings.workers));
}

}  // namespace

std::unique_ptr<Store> begin_study(const std::string& location, const StudySettings& settings,
                                   const BeginOptions& options) {
  if (!store_exists(location)) return create_study(location, settings);
  continue_study(location, settings, options);
  // How many attempts a trial has may have changed.
  return open_store(location, {.attempts = static_cast<int>(settings.attempts)});
}

OpenStudy open_or_begin_study(const std::string& location) {
  if (std::filesystem::path(location).extension() != ".toml") return open_study(location);
  const StudyPlan plan = plan_study({.file = location});
  if (!store_exists(plan.location)) begin_study(plan.location, plan.settings);
  return open_study(plan.location);
}

}  // namespace actforge
