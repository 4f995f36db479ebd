#pragma once

#include "actforge/surrogate/regressor.h"

namespace actforge {

std::unique_ptr<Regressor> make_nearest_regressor(const RunContext& run);
std::unique_ptr<Regressor> make_forest_regressor(const RunContext& run);
std::unique_ptr<Regressor> make_support_regressor(const RunContext& run);
std::unique_ptr<Regressor> make_gaussian_regressor(const RunContext& run);
std::unique_ptr<Regressor> make_noisy_regressor(const RunContext& run);

// What believe() of each begins with: throws Error (kBadInput) unless points have the width that was learnt.
void check_predicted(PointsView points, std::size_t learnt_width);

}  // namespace actforge
