// What the core knows of the evaluator that trains, which needs LibTorch (torch/train/train_evaluator.h). What it
// trains stands in [train].
#include "actforge/search/evaluators/timeout.h"

namespace actforge {

EvaluatorRow train_evaluator() {
  return {.name = "train",
          .summary = "train a network",
          .fields = {evaluator_field(kTimeoutFields[0])},
          .trains = true,
          .reports = true,
          .nature = [](const EvaluatorOptions&) { return EvaluatorNature{.fractions = true, .varies = true}; }};
}

}  // namespace actforge
