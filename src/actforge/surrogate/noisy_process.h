#pragma once

#include "actforge/surrogate/block_process.h"

namespace actforge {

// A Gaussian process with fitted length and noise (block_process.h), of points with a single kind of coordinates.
class NoisyProcess {
 public:
  struct Settings {
    double length = 1, noise = 1e-2;
  };

  // Finds length and noise too. Throws Error (kBadInput) as Regressor::fit() does.
  void fit(PointsView points, std::span<const double> values, std::span<const double> runs);
  void fit(PointsView points, std::span<const double> values, std::span<const double> runs, const Settings& settings);
  std::vector<Belief> believe(PointsView points) const;

  double mean() const { return process_.mean(); }
  double amplitude() const { return process_.amplitude(); }
  double noise() const { return process_.noise(); }
  double log_likelihood() const { return process_.log_likelihood(); }

 private:
  void keep(PointsView points);

  Points points_;
  BlockProcess process_;
};

}  // namespace actforge
