#include "actforge/search/strategies/function_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>

#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/ranking.h"

namespace actforge {
namespace {

// How far below the best a score may count, in differences between the best and the median.
constexpr double kDepth = 3;

// One that was given up early has the score of a shorter training: that it was no better then is worth knowing.
bool has_score(const Trial& trial, std::size_t objectives) {
  const bool ended_well = trial.status() == TrialStatus::kCompleted || trial.status() == TrialStatus::kStopped;
  const std::vector<double>& scores = trial.outcome.scores;
  return ended_well && scores.size() >= objectives &&
         std::ranges::all_of(scores, [](double score) { return std::isfinite(score); });
}

// By trial: the score; of several objectives, which front it is in (Ranking). A front is of functions, not of single
// evaluations: each of a function's counts as its function does.
// Of what ended later than `last` nothing is known.
std::unordered_map<std::int64_t, double> scores_of(const TrialLog& log, std::size_t objectives, std::int64_t last) {
  std::unordered_map<std::int64_t, double> scores;
  std::vector<std::int64_t> functions;
  for (const Trial& trial : log.trials()) {
    if (!is_over(trial.status()) || trial.finish_order > last || !has_score(trial, objectives)) continue;
    if (!trial.plan.is_repeat()) functions.push_back(trial.number);
    scores[trial.number] = trial.outcome.scores[0];
  }
  if (objectives == 1) return scores;
  const Ranking ranking(log, functions, objectives, last);
  scores.clear();
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    scores[ranking.number(i)] = ranking.metric(i);
    for (const std::int64_t repeat : log.repeats_of(ranking.number(i))) scores[repeat] = ranking.metric(i);
  }
  return scores;
}

// The largest number of measurements, at most `count`, of which settings are found.
std::size_t settings_point(std::size_t count) {
  std::size_t point = 1;
  for (;;) {
    const std::size_t next = point + std::max<std::size_t>(2, point / 4);
    if (next > count) return point;
    point = next;
  }
}

std::vector<std::vector<float>> as_floats(const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<float>> result;
  for (const std::vector<double>& row : rows) result.emplace_back(row.begin(), row.end());
  return result;
}

// A failure has the score where scores are cut off.
template <class Measurements>
std::vector<double> values_of(const Measurements& measurements) {
  std::vector<double> scores;
  for (const auto& measurement : measurements) {
    if (measurement.score) scores.push_back(*measurement.score);
  }
  const double least = least_score_that_counts(std::move(scores));
  std::vector<double> values;
  for (const auto& measurement : measurements) values.push_back(std::max(least, measurement.score.value_or(least)));
  return values;
}

}  // namespace

double least_score_that_counts(std::vector<double> scores) {
  if (scores.empty()) return 0;
  std::ranges::sort(scores);
  const double best = scores.back(), median = scores[(scores.size() - 1) / 2];
  if (median == best) return scores.front();  // else nothing would be told from the best, failures included
  return std::max(scores.front(), best - kDepth * (best - median));
}

FunctionModel::FunctionModel(std::shared_ptr<const ProfiledPool> pool, const StrategySetup& setup)
    : pool_(std::move(pool)),
      objectives_(setup.objectives),
      hyperparameters_(setup.hyperparameters),
      is_joint_(!setup.hyperparameters.empty()),
      tried_(pool_->size()) {}

FunctionProfile FunctionModel::profile(const Expr& function, const Hyperparameters& values) const {
  FunctionProfile profile = profile_of(function, pool_->profile_options());
  profile.further = hyperparameters_.coordinates(values);
  return profile;
}

void FunctionModel::add_subjects(const TrialLog& log) {
  while (subjects_.size() < log.trials().size()) {
    const auto number = static_cast<std::int64_t>(subjects_.size());
    const TrialPlan& plan = log.trial(number).plan;
    std::optional<Subject>& subject = subjects_.emplace_back();
    if (plan.is_repeat()) continue;
    const std::optional<std::size_t> pooled = is_joint_ ? std::nullopt : pool_->find(function_key(plan));
    FunctionProfile profile =
        pooled ? pool_->profile(*pooled) : this->profile(parse(plan.expression), plan.hyperparameters);
    if (profile.outputs.empty()) continue;
    if (pooled) tried_[*pooled] = true;
    const std::size_t place = pooled ? *pooled : places_of_pool() + outside_.size();
    if (!pooled) outside_.push_back(number);
    std::vector<std::vector<float>> to_pool;
    if (!is_joint_) to_pool = as_floats(pool_->distances_from(profile));
    subject = {.place = place, .profile = std::move(profile), .to_pool = std::move(to_pool)};
  }
}

std::vector<FunctionModel::Measurement> FunctionModel::measurements(const TrialLog& log, std::int64_t last) const {
  const std::unordered_map<std::int64_t, double> scores = scores_of(log, objectives_, last);
  std::vector<Measurement> all;
  for (const Trial& trial : log.trials()) {
    const std::int64_t function = trial.plan.is_repeat() ? trial.plan.repeat_of : trial.number;
    if (!is_over(trial.status()) || trial.finish_order > last) continue;
    if (!subjects_[static_cast<std::size_t>(function)]) continue;
    Measurement& measurement = all.emplace_back(trial.number, trial.finish_order, function);
    if (const auto found = scores.find(trial.number); found != scores.end()) measurement.score = found->second;
  }
  std::ranges::sort(all, {}, [](const Measurement& m) { return std::pair(m.order, m.number); });
  return all;
}

bool FunctionModel::begins_as_before(const std::vector<Measurement>& measurements) const {
  return measurements.size() >= measured_.size() && settings_from_ == settings_point(measurements.size()) &&
         std::equal(
             measured_.begin(), measured_.end(), measurements.begin(),
             [](const Measurement& a, const Measurement& b) { return a.number == b.number && a.order == b.order; });
}

void FunctionModel::begin_process(const std::vector<Measurement>& first) {
  settings_from_ = first.size();
  std::vector<FunctionProfile> profiles;
  for (const Measurement& measurement : first) profiles.push_back(subject(measurement.function).profile);
  const std::vector<double> runs(first.size(), 1.0);
  settings_ = BlockProcess::find_settings(profile_distances(profiles, profiles), values_of(first), runs);
  process_ = GrowingProcess(settings_.noise);
  measured_.clear();
  while (process_.places() < places_of_pool()) process_.add_place({});
}

double FunctionModel::correlation(std::span<const double> squares) const {
  double scaled = 0;
  for (std::size_t k = 0; k < squares.size(); ++k) scaled += squares[k] / (settings_.lengths[k] * settings_.lengths[k]);
  return BlockProcess::correlation(scaled);
}

double FunctionModel::correlation_of(const FunctionProfile& a, const FunctionProfile& b) const {
  return correlation(squared_distances(a, b));
}

std::vector<double> FunctionModel::correlations(const FunctionProfile& profile) const {
  std::vector<double> answer;
  const auto add = [&](std::int64_t function) { answer.push_back(correlation_of(profile, subject(function).profile)); };
  for (const Measurement& measurement : measured_) add(measurement.function);
  for (const std::int64_t function : pending_) add(function);
  return answer;
}

void FunctionModel::add_places() {
  while (process_.places() < places_of_pool() + outside_.size()) {
    process_.add_place(correlations(subject(outside_[process_.places() - places_of_pool()]).profile));
  }
}

void FunctionModel::measure(GrowingProcess& process, std::int64_t function) const {
  const Subject& measured = subject(function);
  std::vector<double> to_places;
  for (std::size_t i = 0; i < places_of_pool(); ++i) {
    to_places.push_back(correlation(std::array<double, 2>{measured.to_pool[0][i], measured.to_pool[1][i]}));
  }
  for (const std::int64_t other : outside_) {
    to_places.push_back(correlation_of(measured.profile, subject(other).profile));
  }
  process.add_measurement(correlations(measured.profile), to_places);
}

// Those that run, in the order of their trials.
void FunctionModel::add_pending(const TrialLog& log) {
  for (const Trial& trial : log.trials()) {
    if (is_over(trial.status()) || trial.plan.is_repeat() || !subjects_[static_cast<std::size_t>(trial.number)])
      continue;
    if (!with_pending_) with_pending_ = process_;
    measure(with_pending_.value(), trial.number);
    pending_.push_back(trial.number);
  }
}

void FunctionModel::find_order() {
  std::vector<std::pair<double, std::int64_t>> expected;
  for (const Measurement& measurement : measured_) {
    if (measurement.number != measurement.function) continue;
    expected.emplace_back(process_.belief(subject(measurement.function).place).mean, measurement.number);
  }
  std::ranges::sort(expected, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  order_.clear();
  for (const auto& [mean, number] : expected) order_.push_back(number);
  best_ = expected.empty() ? std::nullopt : std::optional(expected[0].first);
}

void FunctionModel::learn(const TrialLog& log) {
  add_subjects(log);
  std::vector<Measurement> all = measurements(log, ScoreEstimates::kAll);
  best_.reset();
  order_.clear();
  pending_.clear();
  with_pending_.reset();
  if (std::ranges::none_of(all, [](const Measurement& m) { return m.score.has_value(); })) return;
  if (!begins_as_before(all)) begin_process(measurements(log, all[settings_point(all.size()) - 1].order));
  add_places();
  for (std::size_t i = measured_.size(); i < all.size(); ++i) {
    measure(process_, all[i].function);
    measured_.push_back(all[i]);
  }
  measured_ = std::move(all);  // of several objectives, scores change
  process_.set_values(values_of(measured_));
  add_pending(log);
  find_order();
}

Belief FunctionModel::belief(const FunctionProfile& function) const {
  return process().belief_at(correlations(function));
}

}  // namespace actforge
