#include <algorithm>

#include "actforge/base/find_named.h"
#include "actforge/expr/kernels/kernel_speed.h"
#include "actforge/search/evaluators/evaluator.h"

namespace actforge {

// A new evaluator is a file with such a function, a line here and one in the table.
EvaluatorRow train_evaluator();
EvaluatorRow command_evaluator();
EvaluatorRow table_evaluator();
EvaluatorRow distance_evaluator();

namespace {

const std::vector<EvaluatorRow>& table() {
  static const std::vector<EvaluatorRow> rows = {
      train_evaluator(),
      command_evaluator(),
      table_evaluator(),
      distance_evaluator(),
  };
  return rows;
}

std::vector<EvaluatorField> all_fields() {
  std::vector<EvaluatorField> fields;
  for (const EvaluatorRow& evaluator : table()) {
    for (const EvaluatorField& field : evaluator.fields) {
      const bool known = std::ranges::any_of(fields, [&](const EvaluatorField& f) { return f.name == field.name; });
      if (!known) fields.push_back(field);
    }
  }
  return fields;
}

}  // namespace

std::span<const EvaluatorRow> evaluators() { return table(); }

const EvaluatorRow& find_evaluator(std::string_view name) { return find_named(table(), name, "evaluator"); }

bool EvaluatorRow::reads(std::string_view option) const {
  return std::ranges::any_of(fields, [&](const EvaluatorField& field) { return field.name == option; });
}

std::span<const EvaluatorField> evaluator_fields() {
  static const std::vector<EvaluatorField> fields = all_fields();
  return fields;
}

double cost_score(const Expr& function) {
  return -measure_speed(function, {.elements = 1 << 16, .rounds = 25}).forward_backward;
}

}  // namespace actforge
