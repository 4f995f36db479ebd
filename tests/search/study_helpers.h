#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actforge/search/settings/study_evaluator.h"
#include "actforge/study/worker.h"
#include "tests/data/scratch.h"

namespace actforge {

// Settings of a study whose trials take no time: how near is a function to tanh?
inline StudySettings quick_settings(const std::string& strategy, std::uint64_t trials) {
  StudySettings settings;
  settings.seed = 5;
  settings.strategy = strategy;
  settings.trials = trials;
  settings.space = "binary(unary(x),unary(x))";
  settings.evaluator = "distance";
  settings.evaluate["target"] = "tanh(x)";
  if (strategy == "cafe")
    settings.options = {{"cafe-population", "8"}, {"generations", "3"}, {"elites", "2"}, {"newcomers", "2"}};
  if (strategy == "pangaea") settings.options = {{"population", "8"}, {"sample", "4"}, {"threshold", "0"}};
  complete_settings(settings);
  return settings;
}

// An evaluator out of a function.
class TestEvaluator : public Evaluator {
 public:
  using Work = std::function<TrialOutcome(const EvaluationRequest& request)>;
  explicit TestEvaluator(Work work) : work_(std::move(work)) {}
  TrialOutcome evaluate(const EvaluationRequest& request) override { return work_(request); }

 private:
  Work work_;
};

// A study in a folder that is gone with it.
class TestStudy {
 public:
  explicit TestStudy(const StudySettings& s) : settings(s), store(create_study(place, s)) {}

  WorkerEnd run(Evaluator& evaluator, const RunContext& context = {},
                const WorkerName& name = {.name = "worker", .version = "1", .lease = 60}) const {
    return run_worker({.location = place, .settings = settings, .name = name}, evaluator, context);
  }
  WorkerEnd run(const TestEvaluator::Work& work) const {
    TestEvaluator evaluator(work);
    return run(evaluator);
  }

  Trial trial(std::int64_t number) const { return store->find(number).value_or(Trial{.number = -1}); }
  // Function, status and scores of every trial.
  std::vector<std::string> story() const {
    std::vector<std::string> list;
    store->each([&](const Trial& trial) {
      std::string text = trial.plan.expression + " " + std::string(trial_status_name(trial.status()));
      for (const double score : trial.outcome.scores) text += " " + option_text(score);
      for (const std::int64_t parent : trial.plan.parents) text += " of " + std::to_string(parent);
      list.push_back(text);
    });
    return list;
  }

  ScratchFolder folder;
  std::string place = (folder.path() / "study.db").string();
  StudySettings settings;
  std::unique_ptr<Store> store;
};

}  // namespace actforge
