#include "actforge/study/finalists.h"

#include <algorithm>

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
  // Equal ones are rare, so a few more than asked for are enough.
  for (const Standing& standing : standings(store, settings, 4 * count + 20)) {
    if (best.size() == count) break;
    const std::optional<std::string> expression = evaluated_text(settings, standing.trial);
    if (!expression || !is_new_function(*expression, taken)) continue;
    best.push_back({.expression = *expression, .trial = standing.trial.number});
    taken.push_back(*expression);
  }
  return best;
}

Finalists finalists(Store& store, const StudySettings& settings, std::size_t count,
                    const std::vector<std::string>& baselines) {
  const Stage stage = rerank_stage(settings);
  const std::vector<StudyRun> runs = store.runs(stage_group(stage));
  ComparisonQuestion question;
  for (const StudyRun& run : runs) {
    question.repeats = std::max(question.repeats, run.repeat + 1);
    const bool known = std::any_of(question.functions.begin(), question.functions.end(),
                                   [&](const ComparedFunction& f) { return f.expression == run.expression; });
    if (!known && is_new_function(run.expression, baselines)) question.functions.push_back({run.expression});
  }
  if (question.functions.empty()) return {best_functions(store, settings, count, baselines), false};
  Finalists chosen = {.functions = {}, .is_reranked = true};
  for (const ComparisonRow& row : compare(store, stage, question).rows) {
    if (chosen.functions.size() < count) chosen.functions.push_back(row.function);
  }
  store.each([&](const Trial& trial) {
    if (trial.plan.is_repeat() || trial.status() != TrialStatus::kCompleted) return;
    const std::optional<std::string> text = evaluated_text(settings, trial);
    for (ComparedFunction& function : chosen.functions) {
      if (function.expression == text) function.trial = trial.number;
    }
  });
  return chosen;
}

std::vector<std::string> expressions_of(const std::vector<ComparedFunction>& functions) {
  std::vector<std::string> expressions;
  expressions.reserve(functions.size());
  for (const ComparedFunction& function : functions) expressions.push_back(function.expression);
  return expressions;
}

}  // namespace actforge
