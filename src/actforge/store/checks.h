#pragma once

#include "actforge/store/store.h"

namespace actforge {

// What must not get into a store, whichever backend it has: it could not be read back, or would spoil the order. Throw
// Error (kFailed), because it is the calling program that is wrong; kUsage for options.
void check_options(const StoreOptions& options);
void check_worker(const WorkerName& worker);
void check_plan(const TrialPlan& plan, std::int64_t number);
void check_outcome(const TrialOutcome& outcome, std::int64_t number);
void check_point(const CurvePoint& point, std::int64_t number);
void check_run(const StudyRun& run);
void check_features(const StudyFeatures& features);
void check_target(const FeatureTarget& target);
void check_seconds(double seconds);

// Empty, or a JSON object.
bool is_metrics(const std::string& text);

// More features than any network has: a damaged or hostile number takes no more memory than this.
inline constexpr std::int64_t kMostFeatures = 1 << 24;

}  // namespace actforge
