#include "actforge/store/trial.h"

#include <array>
#include <nlohmann/json.hpp>

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

std::string hyperparameters_text(const Hyperparameters& values) {
  std::string text;
  for (const auto& [name, value] : values) text.append(text.empty() ? "" : ",").append(name).append("=").append(value);
  return text;
}

std::string hyperparameters_json(const Hyperparameters& values) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, value] : values) {
    const nlohmann::json number = nlohmann::json::parse(value, nullptr, /*allow_exceptions=*/false);
    object[name] = number.is_number() ? number : nlohmann::json(value);
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string joint_key(const std::string& key, const Hyperparameters& values) {
  return key.empty() || values.empty() ? key : key + "@" + hyperparameters_text(values);
}

std::string function_part(const std::string& key) { return key.substr(0, key.find('@')); }

std::string repeat_key(const std::string& key, std::size_t n) { return key + "#" + std::to_string(n); }

}  // namespace actforge
