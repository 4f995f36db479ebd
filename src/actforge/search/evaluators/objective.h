#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// What a score is. With several tasks every measure but the cost is taken on each.
struct Objective {
  std::string measure;   // accuracy, loss, cost, or one that only the evaluator knows
  std::size_t task = 0;  // not of the cost
  std::string name = {};
  bool less_is_better = false;

  // Between a measure's value and its score, of which more is better; the same both ways.
  double turned(double value) const { return less_is_better ? -value : value; }
  bool is_accuracy() const { return measure == "accuracy"; }
};

// "accuracy,cost", "f1:max,latency:min": measures that everybody knows, which have a direction of their own, and those
// of the evaluator, which do not.
struct ObjectiveText {
  std::string text = {};
  std::string direction = "auto";  // of the only measure, in place of :max or :min
  bool any_measure = false;        // the evaluator takes other measures than those known
};
// One objective for each measure, without tasks. Throws Error (kUsage).
std::vector<Objective> read_objectives(const ObjectiveText& text);
// What read_objectives() takes back without a direction.
std::string objectives_text(const std::vector<Objective>& objectives);

}  // namespace actforge
