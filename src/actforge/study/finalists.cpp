#include "actforge/study/finalists.h"

#include <algorithm>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/maps/equal_functions.h"
#include "actforge/study/standings.h"
#include "actforge/study/study.h"

namespace actforge {
namespace {

bool equals_one_of(const Expr& expr, const std::vector<std::string>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&](const std::string& other) { return nearly_equal(expr, parse(other)); });
}

// A study's content cannot be trusted.
bool is_new_function(const std::string& expression, const std::vector<std::string>& others) {
  try {
    return !equals_one_of(parse(expression), others);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<ComparedFunction> best_functions(Store& store, const StudySettings& settings, std::size_t count,
                                             const std::vector<std::string>& baselines) {
  std::vector<ComparedFunction> best;
  std::vector<std::string> taken = baselines;
  // Equal ones are rare, so a few more than asked for are enough; where functions are tried with several
  // hyperparameters, they are not.
  const std::size_t most = settings.with.empty() ? 4 * count + 20 : std::numeric_limits<std::size_t>::max();
  for (const Standing& standing : standings(store, settings, most)) {
    if (best.size() == count) break;
    const std::optional<std::string> expression = evaluated_text(settings, standing.trial);
    if (!expression || !is_new_function(*expression, taken)) continue;
    best.push_back({.expression = *expression,
                    .trial = standing.trial.number,
                    .hyperparameters = standing.trial.plan.hyperparameters});
    taken.push_back(*expression);
  }
  return best;
}

namespace {

// Each function once: with the hyperparameters of its last runs, where there are any.
ComparisonQuestion reranked(Store& store, const Stage& stage, const std::vector<std::string>& baselines) {
  ComparisonQuestion question;
  for (const std::string& group : store.run_groups()) {
    const std::optional<Hyperparameters> values = hyperparameters_of_group(group, stage);
    if (!values) continue;
    for (const StudyRun& run : store.runs(group)) {
      question.repeats = std::max(question.repeats, run.repeat + 1);
      const auto known = std::ranges::find(question.functions, run.expression, &ComparedFunction::expression);
      if (known != question.functions.end()) {
        known->hyperparameters = *values;
      } else if (is_new_function(run.expression, baselines)) {
        question.functions.push_back({.expression = run.expression, .hyperparameters = *values});
      }
    }
  }
  return question;
}

}  // namespace

Finalists finalists(Store& store, const StudySettings& settings, std::size_t count,
                    const std::vector<std::string>& baselines) {
  const Stage stage = rerank_stage(settings);
  ComparisonQuestion question = reranked(store, stage, baselines);
  if (question.functions.empty()) return {best_functions(store, settings, count, baselines), false};
  Finalists chosen = {.functions = {}, .is_reranked = true};
  for (const ComparisonRow& row : compare(store, stage, question).rows) {
    if (chosen.functions.size() < count) chosen.functions.push_back(row.function);
  }
  store.each([&](const Trial& trial) {
    if (trial.plan.is_repeat() || trial.status() != TrialStatus::kCompleted) return;
    const std::optional<std::string> text = evaluated_text(settings, trial);
    for (ComparedFunction& function : chosen.functions) {
      const bool is_alike = function.hyperparameters == trial.plan.hyperparameters;
      if (function.expression == text && is_alike) function.trial = trial.number;
    }
  });
  return chosen;
}

void give_hyperparameters(std::vector<ComparedFunction>& functions, Store& store, const StudySettings& settings) {
  if (settings.with.empty()) return;
  const std::vector<Standing> best = standings(store, settings, 1);
  for (ComparedFunction& function : functions) {
    if (function.hyperparameters.empty() && !best.empty()) {
      function.hyperparameters = best[0].trial.plan.hyperparameters;
    }
  }
}

std::vector<std::string> expressions_of(const std::vector<ComparedFunction>& functions) {
  std::vector<std::string> expressions;
  expressions.reserve(functions.size());
  for (const ComparedFunction& function : functions) expressions.push_back(function.expression);
  return expressions;
}

}  // namespace actforge
