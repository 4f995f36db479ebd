#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actforge/search/strategies/starting_functions.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {

struct AquasurfOptions {
  std::uint64_t evaluations = 108;
  std::string start = kStartingFunctions;
  std::uint64_t start_random = 0;
  std::string features = "auto";
  std::uint64_t inputs = 1000;
  bool evenly = false;
  std::uint64_t pool = 5000;
  std::uint64_t growth = 3;
  std::uint64_t output_neighbours = 15;
  std::uint64_t spectrum_neighbours = 3;
  double min_dist = 0.1;
  std::uint64_t dimensions = 2;
  std::string regressor = "knn";
  std::string acquisition = "maximum";
  double exploration = 0;
};

std::span<const OptionField<AquasurfOptions>> aquasurf_fields();
AquasurfOptions read_aquasurf(const StrategyOptions& texts);

// StrategyRow::complete and StrategyRow::caution.
void complete_aquasurf(StrategyOptions& texts, const StudyTraits& study);
std::string aquasurf_caution(const StrategyOptions& texts, const StudyOutlook& outlook);

}  // namespace actforge
