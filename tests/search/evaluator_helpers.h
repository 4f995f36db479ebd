#pragma once

#include <string>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/settings/study_evaluator.h"
#include "tests/data/scratch.h"

namespace actforge {

// As a worker would ask for it.
inline EvaluationRequest question(const std::string& expression) {
  EvaluationRequest request;
  request.function = parse(expression);
  request.expression = to_call(request.function);
  request.trial = 7;
  request.run.seed = 12345;
  return request;
}

}  // namespace actforge
