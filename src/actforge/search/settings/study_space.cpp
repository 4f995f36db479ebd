#include "actforge/search/settings/study_space.h"

#include "actforge/base/error.h"
#include "actforge/space/find_space.h"

namespace actforge {
namespace {

Space find_named_space(const StudySettings& settings, const SpaceOverrides& overrides = {}) {
  try {
    return find_space(settings.space, overrides);
  } catch (const Error& error) {
    throw Error(error.code(), "[space] space '" + settings.space + "': " + error.what());
  }
}

bool is_open(const StudySettings& settings) { return settings.require == StudySettings().require; }

std::string usual_requirements(const StudySettings& settings) {
  const std::optional<Requirements> own = find_named_space(settings).definition().require;
  if (own) return requirements_text(*own);
  return settings.preset == "paper" ? "none" : "not-constant";
}

}  // namespace

Space study_space(const StudySettings& settings) {
  const std::string required = is_open(settings) ? usual_requirements(settings) : settings.require;
  return find_named_space(settings, {.require = read_requirements(required)});
}

void complete_requirements(StudySettings& settings) {
  settings.require =
      is_open(settings) ? usual_requirements(settings) : requirements_text(read_requirements(settings.require));
}

}  // namespace actforge
