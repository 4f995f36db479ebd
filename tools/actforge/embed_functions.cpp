#include "actforge/embed_functions.h"

#include <algorithm>

#include "actforge/expr/parse.h"
#include "actforge/search/known_functions.h"
#include "actforge/search/rounding_twins.h"
#include "actforge/search_options.h"

namespace actforge::tool {

void keep_rows(Points& points, std::span<const std::uint32_t> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) std::copy_n(points.row(kept[i]).begin(), points.width, points.row(i).begin());
  }
  points.count = kept.size();
  points.values.resize(kept.size() * points.width);
}

void add_known(FunctionSet& set, EmbedAnswer& answer) {
  for (const KnownFunction& known : known_functions()) {
    answer.labels.emplace(set.add(parse(known.expression)), known.name);
  }
}

std::optional<Expr> try_parse(const std::string& text) {
  try {
    return parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Objective add_objective(EmbedAnswer& answer, const StudySettings& settings) {
  Objective objective = study_objectives(settings).front();
  answer.score_name = objective.name;
  answer.less_is_better = objective.measure != "accuracy";
  return objective;
}

std::optional<std::size_t> add_trial(FunctionSet& set, EmbedAnswer& answer, const Objective& objective,
                                     const Trial& trial) {
  if (!is_over(trial.status())) return std::nullopt;
  const std::optional<Expr> function = try_parse(trial.plan.expression);
  if (!function) return std::nullopt;
  const std::size_t number = set.add(*function);
  EmbeddedTrial row = {.number = trial.number, .expression = trial.plan.expression};
  if (!trial.outcome.scores.empty()) row.score = shown_score(objective, trial.outcome.scores[0]);
  answer.trials.emplace(number, std::move(row));
  return number;
}

TwinMap map_with_twins(Points outputs, Points spectra, const MapOptions& options) {
  const RoundingTwins twins = rounding_twins(outputs, options.umap.threads);
  keep_rows(outputs, twins.first);
  if (spectra.width > 0) keep_rows(spectra, twins.first);
  const Points apart = map_functions({.outputs = outputs, .spectra = spectra}, options);
  TwinMap map = {.places = Points(twins.of.size(), apart.width), .twins = twins.of.size() - twins.first.size()};
  for (std::size_t i = 0; i < twins.of.size(); ++i) {
    std::copy_n(apart.row(twins.of[i]).begin(), apart.width, map.places.row(i).begin());
  }
  return map;
}

Points kept_outputs(EmbedAnswer& answer, const OutputOptions& options, Points* beside) {
  Points outputs = output_features(answer.functions, options);
  std::vector<bool> is_kept(outputs.count);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < outputs.count; ++i) {
    is_kept[i] = is_finite(outputs.row(i));
    if (is_kept[i]) kept.push_back(i);
  }
  keep_rows(outputs, kept);
  if (beside != nullptr && beside->width > 0) keep_rows(*beside, kept);
  answer.keep(is_kept);
  return outputs;
}

}  // namespace actforge::tool
