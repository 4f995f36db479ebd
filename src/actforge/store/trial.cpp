#include "actforge/store/trial.h"

#include <array>

#include "actforge/base/error.h"

namespace actforge {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 6> kNames = {"queued",  "running", "completed",
                                                    "stopped", "failed",  "quarantined"};

}  // namespace

std::string_view trial_status_name(TrialStatus status) { return kNames.at(static_cast<std::size_t>(status)); }

TrialStatus trial_status(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<TrialStatus>(i);
  }
  throw Error(ErrorCode::kStorage, "there is no status '" + std::string(name) + "' of a trial");
}

std::string repeat_key(const std::string& key, std::size_t n) { return key + "#" + std::to_string(n); }

}  // namespace actforge
