#include "actforge/surrogate/noisy_process.h"

#include <algorithm>

#include "actforge/surrogate/regressor.h"

namespace actforge {
namespace {

class NoisyRegressor : public Regressor {
 public:
  void learn(PointsView points, std::span<const double> values, std::span<const double> runs) override {
    process_.fit(points, values, runs);
  }
  std::vector<Belief> believe(PointsView points) const override { return process_.believe(points); }

 private:
  NoisyProcess process_;
};

}  // namespace

void NoisyProcess::keep(PointsView points) {
  points_ = Points(points.count, points.width);
  std::copy_n(points.values, points.count * points.width, points_.values.begin());
}

void NoisyProcess::fit(PointsView points, std::span<const double> values, std::span<const double> runs) {
  keep(points);
  process_.fit(block_distances(points, points), values, runs);
}

void NoisyProcess::fit(PointsView points, std::span<const double> values, std::span<const double> runs,
                       const Settings& settings) {
  keep(points);
  process_.fit(block_distances(points, points), values, runs, {.lengths = {settings.length}, .noise = settings.noise});
}

std::vector<Belief> NoisyProcess::believe(PointsView points) const {
  check_predicted(points, points_.width);
  return process_.believe(block_distances(points_, points));
}

RegressorRow noisy_regressor() {
  return {.name = "gp-noise",
          .summary = "the mean of a Gaussian process whose length and noise are fitted",
          .make = [](const RunContext&) -> std::unique_ptr<Regressor> { return std::make_unique<NoisyRegressor>(); },
          .has_deviation = true,
          .knows_noise = true};
}

}  // namespace actforge
