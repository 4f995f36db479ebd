#pragma once

#include <string>
#include <vector>

#include "actforge/search/settings/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// A function that somebody wants to be tried next, and what became of it.
struct EnqueuedFunction {
  std::string expression = {};  // in call form
  Enqueued result = {};
  bool in_space = true;  // else it has no children
};

// Puts functions in front of all that the study's strategy would choose, in this order: workers get them first, even
// where the budget is used up. A function that equals one of the study, whatever became of that, is not tried again.
// Strategies treat them as trials of their own.
std::vector<EnqueuedFunction> enqueue_functions(Store& store, const StudySettings& settings,
                                                const std::vector<Expr>& functions);

}  // namespace actforge
