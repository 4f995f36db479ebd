// Hyperparameters that are searched together with the function.
#include "actforge/search/settings/joint_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "tests/search/problems.h"
#include "tests/search/simulate_study.h"

namespace actforge {
namespace {

constexpr const char* kText =
    "batch=int:8..64, learning-rate=log:0.001..1, momentum=lin:0..0.9, optimizer={sgd,adam,lion}";

HyperparameterSpace all_kinds() { return HyperparameterSpace::parse(kText); }

double number(const Hyperparameters& values, const char* name) { return std::stod(values.at(name)); }

std::string error_of(const char* text) {
  try {
    HyperparameterSpace::parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(HyperparameterSpace, IsReadAndWritten) {
  EXPECT_EQ(all_kinds().text(), kText);
  EXPECT_EQ(HyperparameterSpace::parse(" b = { x , 1e-3 } ,, a=log: 1e-3 .. .3 ").text(),
            "a=log:0.001..0.3, b={x,1e-3}");
  EXPECT_TRUE(HyperparameterSpace::parse("").empty());
  EXPECT_TRUE(HyperparameterSpace().middle().empty());
}

TEST(HyperparameterSpace, ErrorsSayWhatIsWrong) {
  const std::map<const char*, const char*> errors = {
      {"rate", "write name=log:1e-3..0.3"},
      {"rate=log:1", "write name=log:1e-3..0.3"},
      {"rate=lgo:1..2", "unknown scale 'lgo'; did you mean 'log'?"},
      {"rate=log:0..1", "a log scale begins above 0"},
      {"rate=lin:2..1", "the first number must be less than the second"},
      {"rate=lin:a..1", "'a' is not a number"},
      {"rate=lin:0..inf", "'inf' is not a number"},
      {"n=int:1..2.5", "int takes whole numbers"},
      {"o={sgd}", "there is no choice"},
      {"o={sgd,sgd}", "'sgd' stands there twice"},
      {"o={a b,c}", "'a b' is no number and no word"},
      {"o={sgd,adam", "the list of choices has no '}'"},
      {"Rate=lin:0..1", "a name begins with a small letter"},
      {"a=lin:0..1,a=lin:0..2", "'a' is there twice"},
  };
  for (const auto& [text, words] : errors) EXPECT_NE(error_of(text).find(words), std::string::npos) << error_of(text);
}

TEST(HyperparameterSpace, DrawsFillEveryScale) {
  Random random(3);
  double log_sum = 0, sum = 0;
  std::set<std::string> batches;
  std::map<std::string, int> optimizers;
  constexpr int kCount = 4000;
  for (int i = 0; i < kCount; ++i) {
    const Hyperparameters values = all_kinds().draw(random);
    ASSERT_EQ(values.size(), 4u);
    const double rate = number(values, "learning-rate"), momentum = number(values, "momentum");
    EXPECT_TRUE(rate >= 0.001 && rate <= 1 && momentum >= 0 && momentum <= 0.9);
    log_sum += std::log10(rate) / kCount;
    sum += momentum / kCount;
    batches.insert(values.at("batch"));
    ++optimizers[values.at("optimizer")];
  }
  EXPECT_NEAR(log_sum, -1.5, 0.05);
  EXPECT_NEAR(sum, 0.45, 0.02);
  EXPECT_EQ(batches.size(), 57u);
  EXPECT_TRUE(batches.contains("8") && batches.contains("64"));
  for (const auto& [name, count] : optimizers) EXPECT_NEAR(count, kCount / 3.0, 150) << name;
  Random untouched(3), same(3);
  EXPECT_TRUE(HyperparameterSpace().draw(untouched).empty());
  EXPECT_EQ(untouched.next(), same.next());
}

TEST(HyperparameterSpace, MiddlesAndWhatIsMissing) {
  const Hyperparameters middle = all_kinds().middle();
  EXPECT_EQ(hyperparameters_text(middle), "batch=36,learning-rate=0.03162,momentum=0.45,optimizer=sgd");
  EXPECT_EQ(all_kinds().completed({{"momentum", "0.1"}}).at("momentum"), "0.1");
  EXPECT_EQ(all_kinds().completed({{"momentum", "0.1"}}).at("batch"), "36");
}

TEST(HyperparameterSpace, ChildrenAreNearTheirParents) {
  Random random(4);
  const Hyperparameters parent = {
      {"batch", "36"}, {"learning-rate", "0.03162"}, {"momentum", "0.9"}, {"optimizer", "adam"}};
  double squares = 0;
  int other = 0;
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) {
    const Hyperparameters child = all_kinds().mutate(parent, random);
    const double step = (std::log10(number(child, "learning-rate")) + 1.5) / 3;
    squares += step * step / kCount;
    EXPECT_LE(number(child, "momentum"), 0.9);
    EXPECT_NE(child.at("batch"), "36");
    other += child.at("optimizer") != "adam" ? 1 : 0;
  }
  EXPECT_NEAR(std::sqrt(squares), 0.1, 0.01);
  EXPECT_NEAR(other, kCount / 6.0, 60);
  // A short scale of whole numbers is left by no step.
  const HyperparameterSpace two = HyperparameterSpace::parse("n=int:1..2");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(two.mutate({{"n", "1"}}, random).at("n"), "2");
  const Hyperparameters a = all_kinds().draw(random), b = all_kinds().draw(random);
  for (const auto& [name, value] : all_kinds().cross(a, b, random)) {
    EXPECT_TRUE(value == a.at(name) || value == b.at(name)) << name;
  }
}

TEST(HyperparameterSpace, CoordinatesAreThoseOfTheScale) {
  const HyperparameterSpace space = all_kinds();
  const Hyperparameters low = {{"batch", "8"}, {"learning-rate", "0.001"}, {"momentum", "0"}, {"optimizer", "adam"}};
  const Hyperparameters high = {{"batch", "64"}, {"learning-rate", "1"}, {"momentum", "0.9"}, {"optimizer", "lion"}};
  const std::vector<float> a = space.coordinates(low), b = space.coordinates(high);
  ASSERT_EQ(a.size(), space.dimensions());
  ASSERT_EQ(a.size(), 6u);
  for (const std::size_t i : {0, 1, 2}) EXPECT_NEAR(b[i] - a[i], 1, 0.02);
  double squares = 0;
  for (const std::size_t i : {3, 4, 5}) squares += std::pow(a[i] - b[i], 2);
  EXPECT_NEAR(squares, 1, 1e-6);
  // A value from elsewhere does no harm.
  EXPECT_EQ(space.coordinates({{"momentum", "much"}})[2], 0.5F);
}

TEST(JointSearch, KeysTellTrialsApart) {
  const Hyperparameters values = {{"a", "1"}, {"b", "x"}};
  EXPECT_EQ(joint_key("k", values), "k@a=1,b=x");
  EXPECT_EQ(joint_key("k", {}), "k");
  EXPECT_EQ(joint_key("", values), "");
  EXPECT_EQ(function_part("k@a=1,b=x"), "k");
  EXPECT_EQ(function_part("k"), "k");
  EXPECT_EQ(hyperparameters_json(values), R"({"a":1,"b":"x"})");
}

// The score is best at one learning rate, for every function: 0.1.
Simulation joint(const Space& space) {
  return {.space = &space,
          .evaluate =
              [nearness = Nearness("mul(relu(x),sigmoid(x))")](const Trial& trial) {
                TrialOutcome outcome = nearness(trial);
                if (outcome.scores.empty()) return outcome;
                const double off = std::log10(number(trial.plan.hyperparameters, "learning-rate")) + 1;
                outcome.scores[0] /= 1 + off * off;
                return outcome;
              },
          .options = {{"cafe-population", "20"},
                      {"generations", "4"},
                      {"elites", "3"},
                      {"newcomers", "4"},
                      {"population", "10"},
                      {"sample", "4"},
                      {"threshold", "0.1"},
                      {"start", "relu(x), tanh(x)"},
                      {"start-random", "6"},
                      {"pool", "60"}},
          .workers = 3,
          .budget = 80,
          .hyperparameters = HyperparameterSpace::parse("learning-rate=log:1e-4..1")};
}

TEST(JointSearch, EveryStrategyDrawsHyperparameters) {
  const Space space = tame_graphs(4);
  for (const StrategyRow& row : strategies()) {
    SCOPED_TRACE(row.name);
    const SimulatedStudy study = run_study(row.name, joint(space));
    EXPECT_GE(study.size(), 50);
    const FunctionKeys keys;
    std::set<std::string> seen, values;
    for (const Trial& trial : study.log().trials()) {
      const TrialPlan& plan = trial.plan;
      ASSERT_EQ(plan.hyperparameters.size(), 1u);
      values.insert(plan.hyperparameters.at("learning-rate"));
      EXPECT_EQ(plan.key, joint_key(keys(parse(plan.expression)).canonical, plan.hyperparameters));
      EXPECT_TRUE(seen.insert(plan.key).second) << plan.expression;
    }
    EXPECT_GT(values.size(), 45u);
  }
}

// Choices are few, so that drawn ones are often known; a trial that is proposed again would end the study.
TEST(JointSearch, ExplorationRepeatsNoTrial) {
  const Space space({.name = "few", .unary = tame_unary(), .schemas = {"unary(x)"}});
  Simulation simulation = joint(space);
  simulation.hyperparameters = HyperparameterSpace::parse("optimizer={sgd,adam}");
  simulation.evaluate = Nearness("relu(x)");
  simulation.options["exploration"] = "1";
  simulation.workers = 1;
  const SimulatedStudy study = run_study("aquasurf", simulation);
  std::set<std::string> seen;
  for (const Trial& trial : study.log().trials()) EXPECT_TRUE(seen.insert(trial.plan.key).second) << trial.plan.key;
  EXPECT_GE(study.size(), 14);
}

TEST(JointSearch, ForgePredictsWithoutMutationsToo) {
  const Space space = tame_graphs(4);
  Simulation simulation = joint(space);
  simulation.options["offspring"] = "0";
  simulation.budget = 20;
  const SimulatedStudy study = run_study("forge", simulation);
  EXPECT_EQ(study.log().trial(19).plan.origin, "surrogate");
}

TEST(JointSearch, AFunctionMayBeTriedWithOtherHyperparameters) {
  const Space space = tame_graphs(4);
  for (const char* strategy : {"pangaea", "cafe", "mutation", "aquasurf"}) {
    const SimulatedStudy study = run_study(strategy, joint(space));
    std::set<std::string> functions;
    for (const Trial& trial : study.log().trials()) functions.insert(function_part(trial.plan.key));
    EXPECT_LT(static_cast<std::int64_t>(functions.size()), study.size()) << strategy;
  }
}

TEST(JointSearch, ARestartChangesNothing) {
  const Space space = tame_graphs(4);
  for (const StrategyRow& row : strategies()) {
    Simulation simulation = joint(space);
    const std::vector<std::string> choices = run_study(row.name, simulation).choices();
    simulation.restart_before_asking = true;
    EXPECT_EQ(run_study(row.name, simulation).choices(), choices) << row.name;
  }
}

// How far from the best learning rate the last trials are, in decades.
double distance_at_the_end(const char* strategy) {
  const Space space = tame_graphs(4);
  Simulation simulation = joint(space);
  simulation.budget = 120;
  double sum = 0;
  constexpr int kLast = 40;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    simulation.seed = seed;
    const SimulatedStudy study = run_study(strategy, simulation);
    const std::vector<Trial>& trials = study.log().trials();
    for (std::size_t i = trials.size() - kLast; i < trials.size(); ++i) {
      sum += std::fabs(std::log10(number(trials[i].plan.hyperparameters, "learning-rate")) + 1) / (5 * kLast);
    }
  }
  return sum;
}

TEST(JointSearch, StrategiesLearnWhichHyperparametersAreGood) {
  const double by_chance = distance_at_the_end("random");
  EXPECT_NEAR(by_chance, 1.25, 0.15);
  for (const char* strategy : {"pangaea", "aquasurf"})
    EXPECT_LT(distance_at_the_end(strategy), by_chance / 2) << strategy;
}

std::string settings_error(StudySettings settings, const std::string& with) {
  settings.with = with;
  try {
    complete_settings(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return settings.with;
}

TEST(JointSearch, SettingsMakeSense) {
  StudySettings training;
  EXPECT_EQ(settings_error(training, "weight-decay=log:1e-6..1e-2,learning-rate=log:1e-3..0.3"),
            "learning-rate=log:0.001..0.3, weight-decay=log:1e-06..0.01");
  EXPECT_EQ(settings_error(training, "learning-rtae=log:1e-3..0.3"),
            "unknown training option 'learning-rtae'; did you mean 'learning-rate'?");
  EXPECT_EQ(settings_error(training, "lr=log:1e-3..0.3"), "[space] with: 'lr' is called 'learning-rate' here");
  EXPECT_NE(settings_error(training, "momentum=lin:0..5").find("--momentum takes"), std::string::npos);
  training.train["learning-rate"] = "0.1";
  EXPECT_EQ(settings_error(training, "learning-rate=log:1e-3..0.3"),
            "[space] with: 'learning-rate' is given in [train] too; leave it out there, for it is searched");
  StudySettings distance;
  distance.evaluator = "distance";
  distance.evaluate["target"] = "tanh(x)";
  EXPECT_EQ(settings_error(distance, "rate=lin:0..1"), "[space] with: 'rate' is not used: the evaluator is 'distance'");
}

}  // namespace
}  // namespace actforge
