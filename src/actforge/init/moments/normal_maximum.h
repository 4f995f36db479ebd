#pragma once

#include <span>

#include "actforge/init/moments/signal_moments.h"

namespace actforge {

// Mean and variance of the largest of `count` independent standard normal numbers.
SignalMoments standard_maximum(double count);
// Of the largest of `count` independent ones of these moments.
SignalMoments maximum_of_equals(const SignalMoments& each, double count);
// Of the largest of independent normal numbers, one of each.
SignalMoments maximum_of(std::span<const SignalMoments> inputs);

}  // namespace actforge
