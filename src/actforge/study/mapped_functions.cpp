#include "actforge/study/mapped_functions.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "actforge/base/csv.h"
#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/search/maps/rounding_twins.h"
#include "actforge/search/strategies/known_functions.h"
#include "actforge/study/summary.h"

namespace actforge {

std::size_t MappedFunctions::keep(const std::vector<bool>& kept) {
  std::vector<std::size_t> now(kept.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    now[i] = next;
    if (!kept[i]) continue;
    if (next != i) functions[next] = std::move(functions[i]);
    ++next;
  }
  functions.resize(next);
  const auto renumber = [&](auto& by_number) {
    std::decay_t<decltype(by_number)> renumbered;
    for (auto& [number, value] : by_number) {
      if (kept[number]) renumbered.emplace(now[number], std::move(value));
    }
    by_number = std::move(renumbered);
  };
  renumber(labels);
  renumber(trials);
  return kept.size() - next;
}

FunctionMapPicture map_picture(const MappedFunctions& mapped) {
  FunctionMapPicture picture = {.title = mapped.title};
  picture.score_name = mapped.score_name;
  picture.less_is_better = mapped.less_is_better;
  for (std::size_t i = 0; i < mapped.functions.size(); ++i) {
    const MapPoint place = {static_cast<double>(mapped.places.row(i)[0]), static_cast<double>(mapped.places.row(i)[1])};
    const auto trial = mapped.trials.find(i);
    if (trial == mapped.trials.end()) {
      picture.functions.push_back(place);
    } else {
      picture.trials.push_back({.place = place,
                                .number = trial->second.number,
                                .expression = trial->second.expression,
                                .score = trial->second.score});
    }
    const auto label = mapped.labels.find(i);
    if (label != mapped.labels.end()) picture.known.push_back({place, label->second});
  }
  return picture;
}

namespace {

std::string coordinate_name(std::size_t number, std::size_t count) {
  return count <= 3 ? std::string(1, "xyz"[number]) : "x" + std::to_string(number + 1);
}

// The shortest text that reads back to the same float.
std::string coordinate_text(float value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

}  // namespace

void write_map_csv(const MappedFunctions& mapped, const std::function<void(std::string_view text)>& write) {
  const std::size_t width = mapped.places.width;
  std::string line = "function";
  for (std::size_t d = 0; d < width; ++d) line += "," + coordinate_name(d, width);
  write(line + ",label,trial,score\n");
  for (std::size_t i = 0; i < mapped.functions.size(); ++i) {
    line = csv_field(to_call(mapped.functions[i]));
    for (const float coordinate : mapped.places.row(i)) line += "," + coordinate_text(coordinate);
    const auto label = mapped.labels.find(i);
    line += "," + (label == mapped.labels.end() ? "" : csv_field(label->second));
    const auto trial = mapped.trials.find(i);
    if (trial == mapped.trials.end()) {
      line += ",,";
    } else {
      line += "," + std::to_string(trial->second.number) + ",";
      if (trial->second.score) line += number_text(*trial->second.score);
    }
    write(line + "\n");
  }
}

void keep_rows(Points& points, std::span<const std::uint32_t> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) std::copy_n(points.row(kept[i]).begin(), points.width, points.row(i).begin());
  }
  points.count = kept.size();
  points.values.resize(kept.size() * points.width);
}

void add_known(FunctionSet& set, MappedFunctions& mapped) {
  for (const KnownFunction& known : known_functions()) {
    mapped.labels.emplace(set.add(parse(known.expression)), known.name);
  }
}

std::optional<Expr> try_parse(const std::string& text) {
  try {
    return parse(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Objective add_objective(MappedFunctions& mapped, const StudySettings& settings) {
  Objective objective = study_objectives(settings).front();
  mapped.score_name = objective.name;
  mapped.less_is_better = objective.less_is_better;
  return objective;
}

std::optional<std::size_t> add_trial(FunctionSet& set, MappedFunctions& mapped, const Objective& objective,
                                     const Trial& trial) {
  if (!is_over(trial.status()) || trial.plan.is_repeat()) return std::nullopt;
  const std::optional<Expr> function = try_parse(trial.plan.expression);
  if (!function) return std::nullopt;
  const std::size_t number = set.add(*function);
  MappedTrial row = {.number = trial.number, .expression = trial.plan.expression};
  if (!trial.outcome.scores.empty()) row.score = shown_score(objective, trial.outcome.scores[0]);
  mapped.trials.emplace(number, std::move(row));
  return number;
}

TwinMap map_with_twins(Points outputs, Points spectra, const MapOptions& options) {
  const RoundingTwins twins = rounding_twins(outputs, options.umap.run);
  keep_rows(outputs, twins.first);
  if (spectra.width > 0) keep_rows(spectra, twins.first);
  const Points apart = map_functions({.outputs = outputs, .spectra = spectra}, options);
  TwinMap map = {.places = Points(twins.of.size(), apart.width), .twins = twins.of.size() - twins.first.size()};
  for (std::size_t i = 0; i < twins.of.size(); ++i) {
    std::copy_n(apart.row(twins.of[i]).begin(), apart.width, map.places.row(i).begin());
  }
  return map;
}

Points kept_outputs(MappedFunctions& mapped, const OutputOptions& options, Points* beside) {
  Points outputs = output_features(mapped.functions, options);
  std::vector<bool> is_kept(outputs.count);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < outputs.count; ++i) {
    is_kept[i] = is_finite(outputs.row(i));
    if (is_kept[i]) kept.push_back(i);
  }
  keep_rows(outputs, kept);
  if (beside != nullptr && beside->width > 0) keep_rows(*beside, kept);
  mapped.keep(is_kept);
  return outputs;
}

}  // namespace actforge
