#pragma once

#include <memory>
#include <string>

#include "actforge/search/evaluators/evaluator.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/search/strategies/strategy.h"
#include "actforge/store/store.h"

namespace actforge {

// Makes a new study. `settings` are completed. Throws Error.
std::unique_ptr<Store> create_study(const std::string& location, const StudySettings& settings);

struct OpenStudy {
  std::unique_ptr<Store> store;
  StudySettings settings;
  std::string location = {};
};
OpenStudy open_study(const std::string& location);

// How a study goes on with other settings: those that may change are taken from `wanted`. Throws Error (kUsage) that
// names the differences which make it another study.
StudySettings continued_settings(const StudySettings& stored, const StudySettings& wanted);

// Chooses the next trial in the name of the study's strategy; knows what the store told it so far.
class Proposals {
 public:
  // `store` outlives them. Without one, strategies that look at features of functions can be made, but not asked.
  // What takes the strategy long ends with Error (kCancelled) when the context says stop; seed and threads are the
  // settings'.
  // `prepared` as in StrategySetup.
  explicit Proposals(const StudySettings& settings, Store* store = nullptr, const RunContext& context = {},
                     std::shared_ptr<const PreparedSpace> prepared = {});
  // The features that the strategy looks at; null: none.
  FeatureSource* features() { return features_; }
  // Why a trial has failed, by its learning curve so far; empty: it has not.
  std::string failure(const CurvePoint& point) const { return strategy_->failure(point); }
  Proposal operator()(const std::vector<Trial>& changes, std::int64_t number);
  const TrialLog& log() const { return log_; }

 private:
  Proposal repeat(std::int64_t number) const;

  StudySettings settings_;
  Space space_;
  RaceOptions race_;
  TrialLog log_;
  std::unique_ptr<Strategy> strategy_;
  FeatureSource* features_ = nullptr;  // of the strategy
};

// The function that is evaluated for a trial: its expression in the study's normal form. Throws Error (kBadInput) where
// it has none.
Expr evaluated_function(const StudySettings& settings, const std::string& expression);

// The same as text; nothing where there is none.
std::optional<std::string> evaluated_text(const StudySettings& settings, const Trial& trial);

// The seed of a function's first evaluation: with StrategyRow::same_seeds that of repeat_seed(), else of trial_seed().
std::uint64_t first_seed(const StudySettings& settings, std::int64_t number);
// The seed of a trial's training: of the study and the trial alone, so that a second attempt gives the same result.
std::uint64_t trial_seed(const StudySettings& settings, std::int64_t number);
// That of a function's n-th repeat, n from 1, and with StrategyRow::same_seeds that of its first evaluation, n = 0. All
// functions have the same, hence the same split and order of the images: what these do to a score is no difference
// between functions.
std::uint64_t repeat_seed(const StudySettings& settings, std::size_t n);

}  // namespace actforge
