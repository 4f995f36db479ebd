#pragma once

#include <string>

#include "actforge/expr/expr.h"
#include "actforge/init/hermite_series.h"
#include "actforge/init/signal_moments.h"

namespace actforge {

// What a function makes of a normal signal.
struct ActivationMoments {
  SignalMoments output = {};  // exact, for normal numbers that are independent
  std::string problem = {};   // why they do not exist; empty where they do
  HermiteSeries value = {};   // of f(x)
  HermiteSeries square = {};  // of f(x)²

  // How E f² follows the variance of x: it is proportional to v^power, for small changes.
  double power() const;
  // E f² where the variance of x is itself random, relative to where it is not. `spread` is its relative variance:
  //   E F(v) = F(1) + F''(1)/2 spread,   F(v) = E f(√v z)²
  double bend(double spread) const;
  // The same of E f, absolute.
  double mean_bend(double spread) const;
};

// `centred`: of f - E f.
ActivationMoments activation_moments(const Expr& function, const SignalMoments& input, bool centred);

}  // namespace actforge
