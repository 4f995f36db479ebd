#include "actforge/study/rivals.h"

#include <algorithm>

#include "actforge/expr/language/print.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/finalists.h"
#include "actforge/study/study.h"

namespace actforge {

std::vector<std::string> baselines_of(const StudySettings& settings, const std::vector<std::string>& wanted) {
  std::vector<std::string> baselines = wanted;
  if (baselines.empty()) baselines = {settings.baseline.empty() ? "relu(x)" : settings.baseline};
  for (std::string& baseline : baselines) baseline = to_call(evaluated_function(settings, baseline));
  return baselines;
}

std::vector<std::string> rivals_of(const StudySettings& settings, const std::vector<std::string>& wanted) {
  if (!wanted.empty()) return baselines_of(settings, wanted);
  std::vector<std::string> rivals;
  const auto add = [&](std::string_view function) {
    std::string text = to_call(evaluated_function(settings, std::string(function)));
    if (std::ranges::find(rivals, text) == rivals.end()) rivals.push_back(std::move(text));
  };
  if (!settings.baseline.empty()) add(settings.baseline);
  for (const KnownFunction& known : common_functions()) add(known.expression);
  return rivals;
}

std::vector<ComparedFunction> with_others(std::vector<ComparedFunction> chosen,
                                          const std::vector<std::string>& functions,
                                          const std::vector<std::string>& baselines) {
  std::vector<std::string> taken = expressions_of(chosen);
  const auto add = [&](const std::string& expression, bool is_baseline) {
    if (std::ranges::find(taken, expression) != taken.end()) return;
    taken.push_back(expression);
    chosen.push_back({.expression = expression, .trial = -1, .is_baseline = is_baseline});
  };
  for (const std::string& function : functions) add(function, false);
  for (const std::string& baseline : baselines) add(baseline, true);
  return chosen;
}

}  // namespace actforge
