#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/search/maps/candidate_pool.h"
#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/output_features.h"
#include "actforge/search/settings/study_settings.h"
#include "actforge/surrogate/acquisition.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"
#include "tests/search/target_search.h"

namespace actforge {
namespace {

Simulation small(const Space& space) {
  return {.space = &space,
          .evaluate = Nearness(kSearchTarget),
          .options = {{"start", "relu(x), tanh(x), swish(x)"}, {"pool", "120"}},
          .budget = 30};
}

TEST(Aquasurf, BeginsWithKnownFunctionsAndWaitsForThem) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.workers = 5;
  SimulatedStudy study("aquasurf", simulation);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(study.ask());
  EXPECT_EQ(study.log().trial(0).plan.expression, "relu(x)");
  EXPECT_EQ(study.log().trial(1).plan.expression, "tanh(x)");
  EXPECT_EQ(study.log().trial(2).plan.expression, "swish(x)");
  EXPECT_FALSE(study.ask());
  study.finish(1);
  EXPECT_FALSE(study.ask());
  study.finish_all();
  ASSERT_TRUE(study.ask());
  EXPECT_EQ(study.log().trial(2).plan.origin, "start");
  EXPECT_EQ(study.log().trial(3).plan.origin, "surrogate");
  EXPECT_TRUE(study.log().trial(3).plan.story[0].starts_with("surrogate: predicted "));
}

TEST(Aquasurf, OrWithRandomOnes) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.options["start"] = "relu(x)";
  simulation.options["start-random"] = "7";
  const SimulatedStudy study = run_study("aquasurf", simulation);
  EXPECT_EQ(study.log().trial(0).plan.expression, "relu(x)");
  for (int i = 0; i < 8; ++i) EXPECT_EQ(study.log().trial(i).plan.origin, "start");
  EXPECT_EQ(study.log().trial(8).plan.origin, "surrogate");
}

// The whole strategy written out: the map of the pool, the mean of the three nearest weighted by 1/distance, the best.
class Oracle {
 public:
  Oracle(const Space& space, const Simulation& simulation) : pool_(space, pool_options(simulation)) {
    pool_.reach(3 + std::stoul(simulation.options.at("pool")));
    std::vector<Expr> functions;
    for (std::size_t i = 0; i < pool_.size(); ++i) functions.push_back(pool_[i].expr);
    const Points outputs = output_features(functions, {.inputs = 1000});
    map_ = map_functions({.outputs = outputs}, {.umap = {.run = {.seed = simulation.seed}}});
  }

  void check(const Trial& trial, const TrialLog& log) const {
    if (trial.plan.origin != "surrogate") return;
    std::map<std::size_t, double> tried;
    std::set<std::size_t> taken;
    for (const Trial& other : log.trials()) {
      const auto place = pool_.find({other.plan.key, other.plan.fingerprint});
      ASSERT_TRUE(place);
      taken.insert(*place);
      if (is_over(other.status())) tried[*place] = other.outcome.scores.empty() ? 0 : other.outcome.scores[0];
    }
    const auto chosen = pool_.find({trial.plan.key, trial.plan.fingerprint});
    ASSERT_TRUE(chosen);
    double best = -INFINITY;
    for (std::size_t i = 0; i < pool_.size(); ++i) {
      if (!taken.contains(i)) best = std::max(best, predict(i, tried));
    }
    EXPECT_NEAR(predict(*chosen, tried), best, 1e-6) << "trial " << trial.number;
  }

 private:
  static CandidatePool::Options pool_options(const Simulation& simulation) {
    return {.first = {parse("relu(x)"), parse("tanh(x)"), parse("swish(x)")}, .run = {.seed = simulation.seed}};
  }

  double predict(std::size_t place, const std::map<std::size_t, double>& tried) const {
    std::vector<std::pair<double, double>> near;  // distance, score
    for (const auto& [other, score] : tried) {
      near.emplace_back(std::hypot(map_.row(place)[0] - map_.row(other)[0], map_.row(place)[1] - map_.row(other)[1]),
                        score);
    }
    std::ranges::sort(near);
    double sum = 0, weight = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += near[k].second / near[k].first;
      weight += 1 / near[k].first;
    }
    return sum / weight;
  }

  CandidatePool pool_;
  Points map_;
};

TEST(Aquasurf, ProposesWhatThreeNeighboursPredictToBeBest) {
  const Space space = pairs();
  for (const int workers : {1, 4}) {
    Simulation simulation = small(space);
    simulation.workers = workers;
    const Oracle oracle(space, simulation);
    simulation.on_ask = [&](const Trial& trial, const TrialLog& log) { oracle.check(trial, log); };
    // Every fifth function fails.
    simulation.evaluate = [nearness = simulation.evaluate](const Trial& trial) {
      return trial.number % 5 == 4 ? TrialOutcome{.status = TrialStatus::kFailed, .reason = "undefined"}
                                   : nearness(trial);
    };
    EXPECT_EQ(run_study("aquasurf", simulation).size(), 30);
  }
}

TEST(Aquasurf, FindsATargetSoonerThanChance) {
  const Space space = pairs();
  const std::int64_t by_map = trials_to_target("aquasurf", space), by_chance = trials_to_target("random", space);
  EXPECT_LT(2 * by_map, by_chance);
}

TEST(Aquasurf, ExploresAsOftenAsItShould) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.budget = 103;
  simulation.options["exploration"] = "0.3";
  const SimulatedStudy study = run_study("aquasurf", simulation);
  int explored = 0;
  for (const Trial& trial : study.log().trials()) explored += trial.plan.origin == "exploration" ? 1 : 0;
  EXPECT_NEAR(explored, 30, 15);
}

TEST(Aquasurf, EveryRegressorAndDimensionWorks) {
  const Space space = pairs();
  for (const RegressorRow& regressor : regressors()) {
    for (const AcquisitionRow& acquisition : acquisitions()) {
      if (acquisition.needs_deviation && !regressor.has_deviation) continue;
      for (const std::uint64_t dimensions : {2, 5}) {
        Simulation simulation = small(space);
        simulation.options["regressor"] = regressor.name;
        simulation.options["acquisition"] = acquisition.name;
        simulation.options["dimensions"] = std::to_string(dimensions);
        simulation.options["evenly"] = dimensions == 5 ? "true" : "false";
        EXPECT_EQ(run_study("aquasurf", simulation).size(), 30) << regressor.name << " " << acquisition.name;
      }
    }
  }
}

TEST(Aquasurf, GoesOnBeyondItsPool) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.options["pool"] = "5";
  EXPECT_EQ(run_study("aquasurf", simulation).size(), 30);
}

TEST(Aquasurf, TakesSeveralObjectives) {
  const Space space = pairs();
  Simulation simulation = small(space);
  simulation.objectives = 2;
  simulation.evaluate = [first = Nearness("relu(x)"), second = Nearness("tanh(x)")](const Trial& trial) {
    if (trial.number % 6 == 5) return TrialOutcome{.status = TrialStatus::kFailed, .reason = "undefined"};
    return TrialOutcome{.scores = {first(trial).scores[0], second(trial).scores[0]}};
  };
  EXPECT_EQ(run_study("aquasurf", simulation).size(), 30);
}

std::string refusal(StudySettings settings) {
  try {
    complete_settings(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Aquasurf, SettingsMakeSense) {
  StudySettings settings;
  settings.strategy = "aquasurf";
  complete_settings(settings);
  EXPECT_EQ(settings.options.at("features"), "both");
  EXPECT_EQ(settings.trials, 108u);
  EXPECT_TRUE(wants_spectra(settings));
  settings.options["features"] = "outputs";
  EXPECT_FALSE(wants_spectra(settings));

  StudySettings table;
  table.strategy = "aquasurf";
  table.evaluator = "distance";
  table.evaluate["target"] = "swish(x)";
  complete_settings(table);
  EXPECT_EQ(table.options.at("features"), "outputs");
  table.options["features"] = "both";
  EXPECT_TRUE(refusal(table).starts_with("[strategy] features: 'both' needs spectra"));
  table.options["features"] = "outputs";
  table.options["acquisition"] = "expected-improvement";
  EXPECT_TRUE(
      refusal(table).starts_with("[strategy] the acquisition 'expected-improvement' looks at how sure a prediction is, "
                                 "which the regressor 'knn'"));
  table.options["regressor"] = "gp";
  EXPECT_EQ(refusal(table), "");
  table.options["regressor"] = "knn";
  table.options["acquisition"] = "maximum";
  table.options["start"] = "relu(x), swihs(x)";
  EXPECT_TRUE(refusal(table).starts_with("--start: ' swihs(x)': unknown operator 'swihs'")) << refusal(table);
  table.options["start"] = "";
  EXPECT_TRUE(refusal(table).starts_with("[strategy] 'start' names no functions"));

  StudySettings other;
  other.options["pool"] = "7";
  EXPECT_EQ(refusal(other), "[strategy] 'pool' is given, but nothing reads it: the strategy is 'pangaea'");
}

}  // namespace
}  // namespace actforge
