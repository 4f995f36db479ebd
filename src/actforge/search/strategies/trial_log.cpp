#include "actforge/search/strategies/trial_log.h"

#include <algorithm>

#include "actforge/expr/language/parse.h"

namespace actforge {

void TrialLog::add(const Trial& change) {
  const auto place = static_cast<std::size_t>(change.number);
  if (place >= trials_.size()) trials_.resize(place + 1, Trial{.outcome = {.status = TrialStatus::kQueued}});
  const std::int64_t order_before = is_over(trials_[place].status()) ? trials_[place].finish_order : -1;
  const std::int64_t order = is_over(change.status()) ? change.finish_order : -1;
  const bool was_repeat = trials_[place].plan.is_repeat();
  trials_[place] = change;
  if (change.plan.is_repeat()) {
    if (!was_repeat) note_repeat(change);
    return;
  }
  if (order_before >= 0 && order != order_before) std::erase(finished_, change.number);  // it was tried again
  TrialPlan& plan = trials_[place].plan;
  if (keys_.is_outdated(plan.fingerprint)) {
    plan.fingerprint = joint_key(keys_(parse(plan.expression)).fingerprint, plan.hyperparameters);
  }
  index_.add({.canonical = plan.key, .fingerprint = plan.fingerprint}, static_cast<std::uint32_t>(change.number));
  if (order < 0 || order == order_before) return;
  const auto ended_later = [&](std::int64_t o, std::int64_t number) { return o < trial(number).finish_order; };
  finished_.insert(std::upper_bound(finished_.begin(), finished_.end(), change.finish_order, ended_later),
                   change.number);
}

void TrialLog::note_repeat(const Trial& change) {
  ++repeats_;
  std::vector<std::int64_t>& numbers = repeats_of_[change.plan.repeat_of];
  numbers.insert(std::upper_bound(numbers.begin(), numbers.end(), change.number), change.number);
}

std::span<const std::int64_t> TrialLog::repeats_of(std::int64_t number) const {
  const auto found = repeats_of_.find(number);
  return found == repeats_of_.end() ? std::span<const std::int64_t>() : found->second;
}

std::vector<std::int64_t> TrialLog::repeated() const {
  std::vector<std::int64_t> numbers;
  numbers.reserve(repeats_of_.size());
  for (const auto& [number, repeats] : repeats_of_) numbers.push_back(number);
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace actforge
