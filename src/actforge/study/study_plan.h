#pragma once

#include <functional>
#include <string>

#include "actforge/search/settings/study_settings.h"

namespace actforge {

// How somebody asks for a study.
struct StudyRequest {
  std::string file = {};      // a study file (.toml), or the location of a study to continue
  std::string location = {};  // where the study is kept; empty: next to the study file, or `file` itself
  std::string strategy = {};  // a study that is there goes on with this one; empty: as it is
  // What is to differ from the file and from the stored study: flags of a command line, for example.
  std::function<void(StudySettings& settings)> change = [](StudySettings&) {};
};

// What it comes to: where the study is kept, and its completed settings.
struct StudyPlan {
  std::string location = {};
  StudySettings settings = {};
  bool may_switch = false;  // to another strategy, or to other options of the same one
};

// Paths in a study file are relative to it, those in a change to the current folder. Throws Error: kUsage for two
// studies or none, kBadInput for a study to continue that is not there.
StudyPlan plan_study(const StudyRequest& request);

}  // namespace actforge
