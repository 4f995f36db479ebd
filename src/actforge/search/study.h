#pragma once

#include <functional>
#include <memory>
#include <string>

#include "actforge/search/evaluator.h"
#include "actforge/search/strategy.h"
#include "actforge/search/study_settings.h"
#include "actforge/store/store.h"

namespace actforge {

// "actforge 0.1.0"
std::string software_version();

// Makes a new study. `settings` are completed. Throws Error.
std::unique_ptr<Store> create_study(const std::string& place, const StudySettings& settings);

struct OpenStudy {
  std::unique_ptr<Store> store;
  StudySettings settings;
};
OpenStudy open_study(const std::string& place);

// How a study goes on with other settings: those that may change are taken from `wanted`. Throws Error (kUsage) that
// names the differences which make it another study.
StudySettings continued_settings(const StudySettings& stored, const StudySettings& wanted);

// Chooses the next trial in the name of the study's strategy; knows what the store told it so far.
class Proposals {
 public:
  // `store` outlives them. Without one, strategies that look at features of functions can be made, but not asked.
  explicit Proposals(const StudySettings& settings, Store* store = nullptr);
  // Before each question, outside of any transaction: what takes the strategy long.
  void prepare() { strategy_->prepare(); }
  // Functions whose features the strategy would like to know.
  std::vector<const Expr*> wanted() const { return strategy_->wanted(); }
  bool is_ready() const { return strategy_->is_ready(); }
  std::size_t later_features() const { return strategy_->later_features(); }
  Proposal operator()(const std::vector<Trial>& changes, std::int64_t number);
  const TrialLog& log() const { return log_; }

 private:
  StudySettings settings_;
  Space space_;
  TrialLog log_;
  std::unique_ptr<Strategy> strategy_;
};

// The seed of a trial's training: of the study and the trial alone, so that a second attempt gives the same result.
std::uint64_t trial_seed(const StudySettings& settings, std::int64_t number);

}  // namespace actforge
