#pragma once

#include <string>

#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "actforge/search/evaluator.h"
#include "tests/data/scratch.h"

namespace actforge {

// As a worker would ask for it.
inline EvaluationRequest question(const std::string& expression) {
  EvaluationRequest request;
  request.function = parse(expression);
  request.expression = to_call(request.function);
  request.trial = 7;
  request.seed = 12345;
  return request;
}

}  // namespace actforge
