#include "actforge/study/study_plan.h"

#include <filesystem>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

bool is_study_file(const std::string& path) { return std::filesystem::path(path).extension() == ".toml"; }

std::string location_of(const StudyRequest& request) {
  if (is_study_file(request.file) && request.location.empty()) {
    return std::filesystem::path(request.file).replace_extension(".db").string();
  }
  if (!request.file.empty() && !is_study_file(request.file) && !request.location.empty()) {
    throw Error(ErrorCode::kUsage,
                "two studies were given, '" + request.file + "' and --study '" + request.location + "'");
  }
  const std::string location = request.location.empty() ? request.file : request.location;
  if (location.empty()) {
    throw Error(ErrorCode::kUsage, "where should the study be stored? Give a study file, or --study FILE.db");
  }
  return location;
}

StudySettings settings_of_file(const std::string& path) {
  StudySettings settings = read_study_file(path);
  make_paths_absolute(settings, std::filesystem::absolute(path).parent_path().string());
  return settings;
}

}  // namespace

StudyPlan plan_study(const StudyRequest& request) {
  StudyPlan plan = {.location = location_of(request)};
  std::optional<StudySettings> stored;
  if (store_exists(plan.location)) stored = open_study(plan.location).settings;
  const bool from_file = is_study_file(request.file);
  if (!request.file.empty() && !from_file && !stored) {
    throw Error(ErrorCode::kBadInput, "there is no study '" + request.file +
                                          "'; to start one, write a study file with 'actforge search new'");
  }
  if (from_file) {
    plan.settings = settings_of_file(request.file);
  } else if (stored) {
    plan.settings = *stored;
  }
  plan.may_switch = stored && !request.strategy.empty() && request.strategy != StudySettings().strategy;
  if (plan.may_switch) change_strategy(plan.settings, request.strategy);
  request.change(plan.settings);
  // What was decided when it began holds.
  if (stored && plan.settings.require == StudySettings().require) plan.settings.require = stored->require;
  if (stored) fill_in_strategy(plan.settings, *stored);
  const std::string here = std::filesystem::current_path().string();
  make_paths_absolute(plan.settings, here);
  fill_in_folders(plan.settings, stored ? &*stored : nullptr, here);
  // A misspelt baseline is an error at once, not after the search.
  if (!plan.settings.baseline.empty()) plan.settings.baseline = to_call(parse(plan.settings.baseline));
  complete_settings(plan.settings);
  return plan;
}

}  // namespace actforge
