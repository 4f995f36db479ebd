#include "actforge/search/trial_log.h"

#include <algorithm>

#include "actforge/expr/graph.h"

namespace actforge {
namespace {

using Index = std::unordered_map<std::string, std::int64_t>;

void note(Index& index, const std::string& key, std::int64_t number) {
  if (key.empty()) return;
  const auto [place, is_new] = index.try_emplace(key, number);
  if (!is_new) place->second = std::min(place->second, number);
}

std::optional<std::int64_t> look_up(const Index& index, const std::string& key) {
  const auto found = index.find(key);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

FunctionKey FunctionKeys::operator()(const Expr& expr) const {
  return {.canonical = canonical(expr).hash().hex(), .fingerprint = fingerprint_(expr).hex()};
}

void TrialLog::add(const Trial& change) {
  const auto place = static_cast<std::size_t>(change.number);
  if (place >= trials_.size()) trials_.resize(place + 1, Trial{.outcome = {.status = TrialStatus::kQueued}});
  const std::int64_t order_before = is_over(trials_[place].status()) ? trials_[place].finish_order : -1;
  const std::int64_t order = is_over(change.status()) ? change.finish_order : -1;
  if (order_before >= 0 && order != order_before) std::erase(finished_, change.number);  // it was tried again
  trials_[place] = change;
  note(by_canonical_, change.plan.key, change.number);
  note(by_fingerprint_, change.plan.fingerprint, change.number);
  if (order < 0 || order == order_before) return;
  const auto ended_later = [&](std::int64_t o, std::int64_t number) { return o < trial(number).finish_order; };
  finished_.insert(std::upper_bound(finished_.begin(), finished_.end(), change.finish_order, ended_later),
                   change.number);
}

std::optional<std::int64_t> TrialLog::find(const FunctionKey& key) const {
  const auto same_form = look_up(by_canonical_, key.canonical);
  const auto same_values = look_up(by_fingerprint_, key.fingerprint);
  if (same_form && same_values) return std::min(*same_form, *same_values);
  return same_form ? same_form : same_values;
}

}  // namespace actforge
