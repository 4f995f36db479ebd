#include "actforge/base/error.h"
#include "actforge/expr/kernel_speed.h"
#include "actforge/search/evaluator.h"

namespace actforge {
namespace {

constexpr EvaluatorRow kEvaluators[] = {
    {"train", nullptr},
    {"command", make_command_evaluator},
    {"table", make_table_evaluator},
    {"distance", make_distance_evaluator},
};

}  // namespace

std::span<const EvaluatorRow> evaluators() { return kEvaluators; }

std::unique_ptr<Evaluator> make_evaluator(const StudySettings& settings) {
  for (const EvaluatorRow& row : kEvaluators) {
    if (row.name == settings.evaluator && row.make != nullptr) return row.make(settings);
  }
  throw Error(ErrorCode::kUsage, "the evaluator '" + settings.evaluator + "' is not one of this library");
}

double cost_score(const Expr& function) {
  return -measure_speed(function, {.elements = 1 << 16, .rounds = 25}).forward_backward;
}

}  // namespace actforge
