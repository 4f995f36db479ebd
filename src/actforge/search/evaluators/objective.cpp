#include "actforge/search/evaluators/objective.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/base/split_list.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

struct KnownMeasure {
  std::string_view name;
  bool less_is_better;
};
constexpr KnownMeasure kMeasures[] = {{"accuracy", false}, {"loss", true}, {"cost", true}};

constexpr std::string_view kMax = "max", kMin = "min", kOpen = "auto";

std::string_view direction_text(bool less_is_better) { return less_is_better ? kMin : kMax; }

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names;
  for (const KnownMeasure& measure : kMeasures) names.push_back(measure.name);
  return names;
}

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, "[evaluate] objective: " + why); }

// A measure, and the direction that stands behind it; empty: none does.
struct Word {
  std::string measure, direction;
};

Word split_word(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, ""};
  Word word = {text.substr(0, colon), text.substr(colon + 1)};
  if (word.direction != kMax && word.direction != kMin) {
    refuse("'" + text + "': after the colon stands max or min, not '" + word.direction + "'");
  }
  if (word.measure.empty()) refuse("'" + text + "' names no measure");
  return word;
}

Objective known_objective(const KnownMeasure& measure, const std::string& direction) {
  if (!direction.empty() && direction != direction_text(measure.less_is_better)) {
    refuse(std::string(measure.less_is_better ? "less " : "more ") + std::string(measure.name) +
           " is better; a measure of your own needs another name");
  }
  return {.measure = std::string(measure.name),
          .name = std::string(measure.name),
          .less_is_better = measure.less_is_better};
}

Objective read_objective(const Word& word, bool any_measure) {
  const auto known = std::ranges::find(kMeasures, word.measure, &KnownMeasure::name);
  if (known != std::end(kMeasures)) return known_objective(*known, word.direction);
  const std::string& name = word.measure;
  if (!any_measure) refuse("unknown measure '" + name + "'" + nearest_and_list(name, known_names()));
  if (word.direction.empty()) {
    refuse("is more of '" + name + "' better, or less? Write " + name + ":max or " + name + ":min" +
           did_you_mean(name, known_names()));
  }
  return {.measure = name, .name = name, .less_is_better = word.direction == kMin};
}

}  // namespace

std::vector<Objective> read_objectives(const ObjectiveText& text) {
  const std::vector<std::string> words = split_list(text.text);
  if (words.empty()) refuse("at least one of " + name_list(known_names()));
  const bool has_direction = text.direction != kOpen;
  if (has_direction && words.size() > 1) {
    refuse("direction is for a single one; of several each has its own, as in f1:max,latency:min");
  }
  std::vector<Objective> objectives;
  for (const std::string& text_of_word : words) {
    Word word = split_word(text_of_word);
    if (has_direction && !word.direction.empty() && word.direction != text.direction) {
      refuse("'" + text_of_word + "' has another direction than '" + text.direction + "'");
    }
    if (has_direction) word.direction = text.direction;
    if (std::ranges::find(objectives, word.measure, &Objective::measure) != objectives.end()) {
      refuse("'" + word.measure + "' stands there twice");
    }
    objectives.push_back(read_objective(word, text.any_measure));
  }
  if (objectives[0].measure == "cost") refuse("the cost cannot come first; the cheapest function is a constant");
  return objectives;
}

std::string objectives_text(const std::vector<Objective>& objectives) {
  std::string text;
  for (const Objective& objective : objectives) {
    const bool is_known = std::ranges::find(kMeasures, objective.measure, &KnownMeasure::name) != std::end(kMeasures);
    text += (text.empty() ? "" : ",") + objective.measure;
    if (!is_known) text += ":" + std::string(direction_text(objective.less_is_better));
  }
  return text;
}

}  // namespace actforge
