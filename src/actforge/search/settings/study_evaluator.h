#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/settings/study_settings.h"

namespace actforge {

// An evaluator whose row has no factory: a program that can make it says how. So the library with LibTorch, where the
// evaluator that trains is, can be linked or left out.
struct EvaluatorFactory {
  std::string_view name;
  std::unique_ptr<Evaluator> (*make)(const StudySettings& settings);
};

// The study's evaluator. Throws Error: as its row's make() does, and (kUsage) where none of the factories makes it.
std::unique_ptr<Evaluator> make_evaluator(const StudySettings& settings,
                                          std::span<const EvaluatorFactory> factories = {});

// Throws Error where the evaluator could not be made with these settings, as far as can be known without a factory.
void check_evaluator(const StudySettings& settings);

}  // namespace actforge
