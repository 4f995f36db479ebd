#pragma once

#include <string>
#include <vector>

#include "actforge/study/comparison.h"

namespace actforge {

// The study's best by its own scores: equal ones are merged, and those left out that equal a baseline.
std::vector<ComparedFunction> best_functions(Store& store, const StudySettings& settings, std::size_t count,
                                             const std::vector<std::string>& baselines);

// The same by re-ranking, where there was one with these settings; else by the study's own scores, and `is_reranked` is
// false.
struct Finalists {
  std::vector<ComparedFunction> functions = {};
  bool is_reranked = false;
};
Finalists finalists(Store& store, const StudySettings& settings, std::size_t count,
                    const std::vector<std::string>& baselines);

// In a joint search every function is evaluated with hyperparameters: those that have none of their own get those of
// the study's best trial.
void give_hyperparameters(std::vector<ComparedFunction>& functions, Store& store, const StudySettings& settings);

std::vector<std::string> expressions_of(const std::vector<ComparedFunction>& functions);

}  // namespace actforge
