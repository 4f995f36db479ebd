#pragma once

#include <string>

#include "actforge/expr/language/expr.h"
#include "actforge/init/moments/hermite_series.h"
#include "actforge/init/moments/signal_moments.h"
#include "actforge/init/moments/size_response.h"

namespace actforge {

// What a function does to a normal signal.
struct ActivationMoments {
  SignalMoments output = {};  // exact, for normal numbers that are independent
  std::string problem = {};   // why they do not exist; empty where they do
  HermiteSeries value = {};   // of f(x)
  HermiteSeries square = {};  // of f(x)²
  SizeResponse sizes = {};    // of x with another variance
};

// `centred`: of f - E f.
ActivationMoments activation_moments(const Expr& function, const SignalMoments& input, bool centred);

}  // namespace actforge
