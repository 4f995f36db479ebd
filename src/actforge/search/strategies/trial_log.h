#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "actforge/space/function_key.h"
#include "actforge/store/trial.h"

namespace actforge {

// What strategies know of a study: its trials so far, as they are now. Fed with the changes that a store tells.
class TrialLog {
 public:
  explicit TrialLog(Sameness sameness = Sameness::kOutputs) : keys_(sameness) {}

  // In any order: a store that is read from the start tells a trial's last change only, so that the trial may come
  // after later ones. Between two batches of changes there are no gaps. Fingerprints of other versions are computed
  // anew.
  void add(const Trial& change);

  // By number; repeats are among them.
  const std::vector<Trial>& trials() const { return trials_; }
  const Trial& trial(std::int64_t number) const { return trials_[static_cast<std::size_t>(number)]; }
  // Numbers of the trials that are over and repeat no other, in the order in which they ended.
  const std::vector<std::int64_t>& finished() const { return finished_; }
  // The trial of an equal function with the same hyperparameters (keys are joint ones), if there is one; the earliest,
  // should there be two, for then the answer never changes while a study grows.
  std::optional<std::int64_t> find(const FunctionKey& key) const { return index_.find(key); }

  // How many trials repeat no other: each has a function of its own.
  std::int64_t functions() const { return static_cast<std::int64_t>(trials_.size()) - repeats_; }
  // The trials that repeat this one, over or not, in the order of their numbers.
  std::span<const std::int64_t> repeats_of(std::int64_t number) const;
  // The trials that have repeats, in the order of their numbers.
  std::vector<std::int64_t> repeated() const;

 private:
  void note_repeat(const Trial& change);

  std::vector<Trial> trials_;
  std::vector<std::int64_t> finished_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> repeats_of_;
  std::int64_t repeats_ = 0;
  FunctionIndex index_;
  FunctionKeys keys_;
};

}  // namespace actforge
