#pragma once

#include "actforge/init/moments/signal_moments.h"

namespace actforge {

// Of softmax over `count` independent normal numbers of this variance (their mean cancels).
SignalMoments softmax_moments(double count, double variance);

}  // namespace actforge
