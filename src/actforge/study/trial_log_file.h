#pragma once

#include <cstdint>
#include <string>

namespace actforge {

// Where what an evaluation prints is kept: a file in a folder beside the study, one for each attempt (from 1). Empty
// where the store has no such folder.
std::string trial_log_file(const std::string& location, std::int64_t trial, std::int64_t attempt);

}  // namespace actforge
