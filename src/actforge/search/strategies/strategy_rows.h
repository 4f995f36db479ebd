#pragma once

#include "actforge/search/strategies/strategy.h"

namespace actforge {

// The row of each strategy, by the file that defines it.
StrategyRow exhaustive_strategy();             // exhaustive.cpp
StrategyRow random_strategy();                 // random_search.cpp
StrategyRow cafe_strategy();                   // cafe.cpp
StrategyRow pangaea_strategy();                // pangaea.cpp
StrategyRow pangaea_no_parameters_strategy();  // pangaea.cpp
StrategyRow mutation_strategy();               // pangaea.cpp
StrategyRow aquasurf_strategy();               // aquasurf.cpp
StrategyRow forge_strategy();                  // forge.cpp

}  // namespace actforge
