#pragma once

#include "actforge/search/strategy.h"

namespace actforge {

// One file each.
std::unique_ptr<Strategy> make_exhaustive(const StrategySetup& setup);
std::unique_ptr<Strategy> make_random(const StrategySetup& setup);
std::unique_ptr<Strategy> make_cafe(const StrategySetup& setup);
std::unique_ptr<Strategy> make_pangaea(const StrategySetup& setup);
std::unique_ptr<Strategy> make_pangaea_without_parameters(const StrategySetup& setup);
std::unique_ptr<Strategy> make_aquasurf(const StrategySetup& setup);
std::unique_ptr<Strategy> make_mutation(const StrategySetup& setup);

}  // namespace actforge
