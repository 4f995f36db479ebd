#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/reference.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {

using Evaluation = std::function<TrialOutcome(const Trial&)>;

// A problem with a known answer: how near a function is to a target on [-3, 3], where 1 is the target itself. What is
// not finite fails.
class Nearness {
 public:
  explicit Nearness(std::string_view target) : target_(values(parse(target))) {}

  TrialOutcome operator()(const Trial& trial) const {
    const std::vector<double> y = values(parse(trial.plan.expression));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += (y[i] - target_[i]) * (y[i] - target_[i]);
    if (!std::isfinite(sum)) return {.status = TrialStatus::kFailed, .reason = "not finite"};
    return {.scores = {1 / (1 + std::sqrt(sum / static_cast<double>(y.size())))}};
  }

 private:
  static std::vector<double> values(const Expr& expr) {
    const Reference reference(expr);
    std::vector<double> y;
    for (int i = -12; i <= 12; ++i) y.push_back(reference.value(0.25 * i));
    return y;
  }

  std::vector<double> target_;
};

struct Simulation {
  const Space* space = nullptr;
  Evaluation evaluate = {};
  StrategyOptions options = {};
  std::uint64_t seed = 1;
  std::size_t objectives = 1;
  int workers = 1;
  std::uint64_t timing = 1;            // which of the running trials ends next comes from it
  std::int64_t budget = 0;             // 0: the strategy's own
  bool restart_before_asking = false;  // forget strategy and log, and read the log again, in disorder
  // Called with each new trial and the log as the strategy saw it.
  std::function<void(const Trial&, const TrialLog&)> on_ask = {};
  std::function<bool(const Trial&)> stop = {};  // after a trial that is like this
  HyperparameterSpace hyperparameters = {};
};

// A study in one thread, with workers that take their time.
class SimulatedStudy {
 public:
  SimulatedStudy(std::string_view strategy, const Simulation& simulation)
      : row_(&find_strategy(strategy)), simulation_(simulation), timing_(simulation.timing) {
    restart();
  }

  void run() {
    const std::int64_t budget = simulation_.budget != 0 ? simulation_.budget
                                : row_->ends            ? std::int64_t{1} << 60  // so that its own end shows
                                                        : natural_budget();
    while (!stopped_) {
      while (!ended_ && running_.size() < static_cast<std::size_t>(simulation_.workers) && size() < budget && ask()) {
      }
      if (running_.empty()) break;
      finish(timing_.below(running_.size()));
    }
  }

  std::int64_t natural_budget() const {
    return static_cast<std::int64_t>(default_trials(*row_, simulation_.options, find_strategy_preset("paper")));
  }

  // Whether there is a new trial.
  bool ask() {
    if (simulation_.restart_before_asking) restart();
    const Proposal proposal = strategy_->ask(size());
    ended_ = proposal.kind == Proposal::Kind::kFinished;
    if (proposal.kind == Proposal::Kind::kWait) {
      EXPECT_FALSE(running_.empty()) << "it waits for nobody";
      ++waits_;
    }
    if (proposal.kind != Proposal::Kind::kTrial) return false;
    Trial trial{.number = size(), .plan = proposal.plan, .outcome = {.status = TrialStatus::kRunning}};
    if (simulation_.on_ask) simulation_.on_ask(trial, *log_);
    running_.push_back(trial.number);
    log_->add(trial);
    return true;
  }

  void finish(std::size_t place) {
    Trial trial = log_->trial(running_[place]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
    trial.outcome = simulation_.evaluate(trial);
    trial.finish_order = static_cast<std::int64_t>(log_->finished().size());
    log_->add(trial);
    stopped_ = simulation_.stop && simulation_.stop(trial);
  }
  void finish_all() {
    while (!running_.empty()) finish(0);
  }

  // A trial that somebody has put in front, and that a worker has begun.
  std::int64_t put_in_front(std::string_view function) {
    const Expr expr = parse(function);
    Trial trial{.number = size(), .outcome = {.status = TrialStatus::kRunning}};
    trial.plan = plan_of({.function = {.expr = expr, .kind = kEnqueued}}, FunctionKeys()(expr));
    running_.push_back(trial.number);
    log_->add(trial);
    return trial.number;
  }

  // As run() goes on, until there are so many trials.
  void run_to(std::int64_t trials) {
    simulation_.budget = trials;
    run();
  }

  void switch_to(std::string_view strategy, const StrategyOptions& options) {
    row_ = &find_strategy(strategy);
    simulation_.options = options;
    first_ = size();
    ended_ = false;
    restart();
  }

  const TrialLog& log() const { return *log_; }
  std::int64_t size() const { return static_cast<std::int64_t>(log_->trials().size()); }
  bool ended() const { return ended_; }  // as the strategy said
  int waits() const { return waits_; }
  Strategy& strategy() { return *strategy_; }

  // Function, parents and origin of every trial.
  std::vector<std::string> choices() const {
    std::vector<std::string> list;
    for (const Trial& trial : log_->trials()) {
      std::string text = trial.plan.expression + " " + trial.plan.origin + " " + std::to_string(trial.plan.generation) +
                         hyperparameters_text(trial.plan.hyperparameters);
      for (const std::int64_t parent : trial.plan.parents) text += " " + std::to_string(parent);
      list.push_back(text);
    }
    return list;
  }

 private:
  void restart() {
    auto log = std::make_unique<TrialLog>();
    if (log_) {
      std::vector<Trial> trials = log_->trials();
      Random order(static_cast<std::uint64_t>(trials.size()));
      for (std::size_t i = trials.size(); i > 1; --i) std::swap(trials[i - 1], trials[order.below(i)]);
      for (const Trial& trial : trials) log->add(trial);
    }
    log_ = std::move(log);
    strategy_ = row_->make({.space = simulation_.space,
                            .log = log_.get(),
                            .options = simulation_.options,
                            .run = {.seed = simulation_.seed},
                            .objectives = simulation_.objectives,
                            .hyperparameters = simulation_.hyperparameters,
                            .first = first_});
  }

  const StrategyRow* row_;
  std::int64_t first_ = 0;  // trial of this strategy
  Simulation simulation_;
  Random timing_;
  std::unique_ptr<TrialLog> log_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<std::int64_t> running_;
  bool ended_ = false, stopped_ = false;
  int waits_ = 0;
};

inline SimulatedStudy run_study(std::string_view strategy, const Simulation& simulation) {
  SimulatedStudy study(strategy, simulation);
  study.run();
  return study;
}

}  // namespace actforge
