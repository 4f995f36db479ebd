#pragma once

#include <string>
#include <string_view>

#include "actforge/search/settings/study_settings.h"

namespace actforge {

// A study as a TOML file has it. A key that nothing reads is an error, as is a value that cannot be. Throws Error
// (kBadInput) with the line.
StudySettings parse_study(std::string_view toml);
StudySettings read_study_file(const std::string& path);

// All settings as TOML, which parse_study() takes back; with a comment for each, for people.
std::string study_toml(const StudySettings& settings, bool comments);

}  // namespace actforge
