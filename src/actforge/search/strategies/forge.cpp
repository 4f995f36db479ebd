#include <algorithm>
#include <cstdio>
#include <limits>

#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/profiled_pool.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/function_model.h"
#include "actforge/search/strategies/starting_functions.h"
#include "actforge/search/strategies/strategy.h"
#include "actforge/surrogate/acquisition.h"

namespace actforge {
namespace {

struct ForgeOptions {
  std::string start = kStartingFunctions;
  std::uint64_t candidates = 5000;
  std::uint64_t offspring = 100;
  std::uint64_t parents = 10;
};

using O = ForgeOptions;
constexpr OptionField<O> kFields[] = {
    {"start", kStartHelp, &O::start},
    {"candidates", "of forge: random functions of the space that are compared; 0: all of it", &O::candidates, 0, 1e8},
    {"offspring", "of forge: mutations that are looked at as well before each trial, where these are not all of it",
     &O::offspring, 0, 1e6},
    {"parents", "of forge: how many of the best functions have such offspring", &O::parents, 1, 1e6},
};

ForgeOptions read_forge(const StrategyOptions& texts) { return read_options<O>(texts, kFields); }

std::shared_ptr<const ProfiledPool> make_pool(const StrategySetup& setup) {
  const ForgeOptions options = read_forge(setup.options);
  return std::make_shared<const ProfiledPool>(
      *setup.space,
      ProfiledPool::Options{
          .pool = {.first = starting_functions(options.start), .sameness = setup.sameness, .run = setup.run},
          .size = options.candidates,
          .profile = {.normal_form = setup.normal_form}});
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// After some functions that everybody knows, again and again the function whose score is expected to exceed the best by
// most (expected improvement), by what all evaluations so far say of functions that are alike (FunctionModel). Where
// the candidates are not all of the space, mutations of the best functions are candidates as well: the search leaves
// the sample for where it is good.
class Forge : public Strategy {
 public:
  explicit Forge(const StrategySetup& setup)
      : setup_(setup), options_(read_forge(setup.options)), fresh_(*setup.space, setup), keys_(setup.sameness) {
    for (const Expr& function : starting_functions(options_.start)) start_.push_back(function);
  }

  Proposal ask(std::int64_t number) override {
    if (auto plan = next_start()) return propose(std::move(*plan));
    begin();
    model_->learn(*setup_.log);
    Random random(setup_.run.seed, static_cast<std::uint64_t>(number), "forge");
    if (!model_->has_scores()) return propose_or_finish(any(random));
    Choice best;
    if (setup_.hyperparameters.empty()) best = best_of_pool();
    add_random(best, random);
    add_offspring(best, random);
    if (!best.plan) return propose_or_finish(any(random));
    TrialPlan plan = std::move(best.plan).value();
    plan.story.push_back("expected " + short_number(best.belief.mean) + " ± " +
                         short_number(best.belief.deviation.value()) + "; of the best so far, " +
                         setup_.log->trial(model_->order()[0]).plan.expression + ", " + short_number(model_->best()));
    return propose(std::move(plan));
  }

 private:
  struct Choice {
    double promise = -std::numeric_limits<double>::infinity();
    Belief belief = {};
    std::optional<TrialPlan> plan = {};
  };

  void begin() {
    if (model_) return;
    pool_ = std::static_pointer_cast<const ProfiledPool>(setup_.prepared);
    if (!pool_) pool_ = make_pool(setup_);
    model_ = std::make_unique<FunctionModel>(pool_, setup_);
    order_.resize(pool_->size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    // Between equals the first is taken; whoever shares a pool has an order of his own.
    Random random(setup_.run.seed, 0, "order of candidates");
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
  }

  double promise(const Belief& belief) const {
    return find_acquisition("expected-improvement").value(belief, model_->best());
  }

  // Functions that somebody names are tried all the same, whatever the study requires.
  std::optional<TrialPlan> next_start() const {
    for (std::size_t i = 0; i < start_.size(); ++i) {
      Random random(setup_.run.seed, i, "hyperparameters at the start");
      const Candidate candidate = {.function = {.expr = start_[i], .kind = "start", .story = {kStartStory}},
                                   .hyperparameters = setup_.hyperparameters.draw(random)};
      const FunctionKey key = keys_(start_[i]);
      if (!setup_.log->find(joint_key(key, candidate.hyperparameters))) return plan_of(candidate, key);
    }
    return std::nullopt;
  }

  std::optional<TrialPlan> any(Random& random) const {
    if (!setup_.hyperparameters.empty()) return fresh_.any(random, "random");
    for (const std::size_t i : order_) {
      if (!model_->is_tried(i)) return plan(i, "random", "random: nothing to predict from");
    }
    return fresh_.any(random, "random");
  }

  TrialPlan plan(std::size_t i, const std::string& kind, const std::string& story) const {
    const PooledFunction& function = pool_->function(i);
    return plan_of({.function = {.expr = function.expr, .kind = kind, .story = {story}}}, function.key);
  }

  Choice best_of_pool() const {
    Choice best;
    std::size_t chosen = 0;
    for (const std::size_t i : order_) {
      if (model_->is_tried(i)) continue;
      const Belief belief = model_->belief(i);
      const double value = promise(belief);
      if (value <= best.promise) continue;
      best = {.promise = value, .belief = belief, .plan = std::nullopt};
      chosen = i;
    }
    if (best.belief.deviation) best.plan = plan(chosen, "surrogate", "surrogate: a candidate");
    return best;
  }

  // Where the candidate is new and promises more than the best so far, it takes its place.
  void consider(Choice& best, Candidate candidate, Random& random) const {
    give_hyperparameters(candidate, setup_, random);
    const FunctionProfile profile = model_->profile(candidate.function.expr, candidate.hyperparameters);
    if (profile.outputs.empty()) return;
    const Belief belief = model_->belief(profile);
    const double value = promise(belief);
    if (value <= best.promise) return;
    if (auto plan = fresh_.plan(candidate)) best = {.promise = value, .belief = belief, .plan = std::move(plan)};
  }

  // In a joint search the pool's functions are candidates only together with hyperparameters: some of them, drawn anew
  // each time.
  void add_random(Choice& best, Random& random) const {
    if (setup_.hyperparameters.empty() || pool_->size() == 0) return;
    constexpr int kDrawn = 200;
    for (int i = 0; i < kDrawn; ++i) {
      const Expr& function = pool_->function(random.below(pool_->size())).expr;
      consider(best, {.function = {.expr = function, .kind = "surrogate", .story = {"surrogate: a candidate"}}},
               random);
    }
  }

  void add_offspring(Choice& best, Random& random) const {
    if (setup_.hyperparameters.empty() && pool_->is_complete()) return;
    const std::vector<std::int64_t>& order = model_->order();
    const std::size_t parents = std::min<std::size_t>(order.size(), options_.parents);
    for (std::uint64_t i = 0; i < options_.offspring; ++i) {
      const std::int64_t parent = order[random.below(parents)];
      const Expr function = parse(setup_.log->trial(parent).plan.expression);
      if (keeps_function(setup_, random)) {
        consider(best, {.function = {.expr = function, .kind = "hyperparameters"}, .parents = {parent}}, random);
      } else if (auto child = try_mutate(*setup_.space, function, random)) {
        consider(best, {.function = std::move(*child), .parents = {parent}}, random);
      }
    }
  }

  StrategySetup setup_;
  ForgeOptions options_;
  Fresh fresh_;
  FunctionKeys keys_;
  std::vector<Expr> start_;
  std::shared_ptr<const ProfiledPool> pool_;
  std::unique_ptr<FunctionModel> model_;
  std::vector<std::size_t> order_;
};

}  // namespace

StrategyRow forge_strategy() {
  return {
      .name = "forge",
      .summary = "the most promising function, by a Gaussian process over outputs and structure",
      .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> { return std::make_unique<Forge>(setup); },
      .fields = strategy_fields<ForgeOptions>(kFields, {.candidates = 2000}),
      .check = [](const StrategyOptions& options) { starting_functions(read_forge(options).start); },
      .caution =
          [](const StrategyOptions& options, const StudyOutlook& outlook) {
            return start_caution(starting_functions(read_forge(options).start).size(), outlook.functions);
          },
      .prepare = [](const StrategySetup& setup) -> std::shared_ptr<const PreparedSpace> { return make_pool(setup); }};
}

}  // namespace actforge
