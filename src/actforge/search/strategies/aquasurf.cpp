#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/maps/surrogate_map.h"
#include "actforge/search/strategies/aquasurf_options.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/map_choices.h"
#include "actforge/search/strategies/predictor.h"
#include "actforge/search/strategies/ranking.h"
#include "actforge/search/strategies/score_estimate.h"
#include "actforge/search/strategies/starting_functions.h"
#include "actforge/search/strategies/strategy.h"
#include "actforge/surrogate/acquisition.h"
#include "actforge/surrogate/distances.h"

namespace actforge {
namespace {

SurrogateMapOptions map_options(const StrategySetup& setup, const AquasurfOptions& options) {
  const bool has_spectra = !setup.spectra.empty();
  const bool both = options.features == "both" || (options.features == "auto" && has_spectra);
  const RunContext run = setup.run;
  SurrogateMapOptions map = {
      .pool = {.first = starting_functions(options.start), .sameness = setup.sameness, .run = run},
      .size = options.pool,
      .by_outputs = both || options.features != "eigenvalues",
      .by_spectra = both || options.features == "eigenvalues"};
  map.outputs = {.inputs = options.inputs, .evenly = options.evenly, .run = run};
  map.outputs.normal_form = setup.normal_form;
  map.outputs.run.seed = 0;  // all studies compare functions at the same inputs
  map.map = {.output_neighbours = options.output_neighbours, .spectrum_neighbours = options.spectrum_neighbours};
  map.map.umap = {.dimensions = options.dimensions, .min_dist = options.min_dist};
  map.map.umap.run = run;
  map.read_spectra = setup.read_spectra;
  if (map.by_spectra && !has_spectra) {
    throw Error(ErrorCode::kUsage, "--features " + options.features +
                                       " needs spectra, hence a network; without one there is --features outputs");
  }
  return map;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::unique_ptr<SurrogateMap> make_map(const StrategySetup& setup) {
  const SurrogateMapOptions options = map_options(setup, read_aquasurf(setup.options));
  if (options.by_spectra && !options.read_spectra) {
    throw Error(ErrorCode::kFailed, "spectra are in a study's store, and there is none");
  }
  return std::make_unique<SurrogateMap>(*setup.space, options);
}

std::shared_ptr<const PreparedSpace> make_shared_map(const StrategySetup& setup) {
  std::unique_ptr<SurrogateMap> map = make_map(setup);
  map->update();
  return map;
}

// Chapter "AQuaSurF". First some functions are evaluated that everybody knows, or random ones. Then, again and again,
// scores of all functions of the map are predicted from those that were evaluated, and the best is next.
class Aquasurf : public Strategy, public FeatureSource {
 public:
  explicit Aquasurf(const StrategySetup& setup)
      : setup_(setup),
        settings_(read_aquasurf(setup.options)),
        options_(map_options(setup, settings_)),
        predictor_({.regressor = settings_.regressor, .acquisition = settings_.acquisition, .seed = setup.run.seed}),
        keys_(setup.sameness) {
    map_ = static_cast<const SurrogateMap*>(setup_.prepared.get());
    for (const Expr& function : options_.pool.first) {
      start_.push_back(starter({.expr = function, .key = keys_(function)}, start_.size()));
    }
  }

  bool by_spectra() const { return options_.by_spectra; }
  const std::string& group() const override { return setup_.spectra; }

  // Some more after each trial, so that the map grows while the study goes on.
  std::size_t owed(std::int64_t over) override {
    update_map();
    const std::size_t wanted = settings_.growth * static_cast<std::size_t>(over), there = map_->later_spectra();
    return map_->is_ready() && there < wanted ? wanted - there : 0;
  }

  std::vector<const PooledFunction*> wanted() const override {
    return map_ ? map_->missing() : std::vector<const PooledFunction*>();
  }

  Proposal ask(std::int64_t number) override {
    if (const Starter* next = untried(start_)) return start(*next);
    update_map();
    if (!map_->is_ready()) return wait_for_others();
    const std::vector<Starter> random = random_start();
    if (const Starter* next = untried(random)) return start(*next);
    if (!all_over(start_) || !all_over(random)) return wait_for_others();
    for (;;) {
      if (auto plan = choose(number)) return propose(std::move(*plan));
      if (own_map_ && own_map_->grow()) continue;
      return map_->missing().empty() ? finished() : wait_for_others();
    }
  }

 private:
  // A function that is evaluated before anything can be predicted.
  struct Starter {
    PooledFunction function = {};
    Hyperparameters hyperparameters = {};
  };

  Starter starter(const PooledFunction& function, std::size_t number) const {
    Random random(setup_.run.seed, number, "hyperparameters at the start");
    return {function, setup_.hyperparameters.draw(random)};
  }

  void update_map() {
    if (setup_.prepared) return;
    if (!own_map_) {
      own_map_ = make_map(setup_);
      map_ = own_map_.get();
    }
    add_guests();
    own_map_->update();
  }

  // What was tried, but is not in the pool.
  void add_guests() {
    const std::vector<std::int64_t>& finished = setup_.log->finished();
    for (const std::int64_t number : finished) {
      const TrialPlan& plan = setup_.log->trial(number).plan;
      const bool is_guest = number < setup_.first || plan.origin == kEnqueued;
      if (!is_guest || !guests_.insert(number).second) continue;
      own_map_->add_guest(parse(plan.expression), function_key(plan));
    }
  }

  // Whoever shares a map has an order of his own: it decides which random functions come first, and between equals.
  std::vector<std::size_t> in_order() const {
    if (!setup_.prepared) return map_->in_order();
    if (order_.empty()) {
      order_ = map_->in_order();
      Random random(setup_.run.seed, 0, "order of a shared map");
      for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
    }
    return order_;
  }

  std::optional<std::int64_t> trial_of(const PooledFunction& function, const Hyperparameters& values) const {
    return setup_.log->find(joint_key(function.key, values));
  }

  const Starter* untried(const std::vector<Starter>& starters) const {
    for (const Starter& starter : starters) {
      if (!trial_of(starter.function, starter.hyperparameters)) return &starter;
    }
    return nullptr;
  }

  bool all_over(const std::vector<Starter>& starters) const {
    return std::all_of(starters.begin(), starters.end(), [&](const Starter& starter) {
      const auto number = trial_of(starter.function, starter.hyperparameters);
      return number && is_over(setup_.log->trial(*number).status());
    });
  }

  // The first functions of the map, whose order is random, beside those that were given.
  std::vector<Starter> random_start() const {
    std::vector<Starter> starters;
    for (const std::size_t i : in_order()) {
      if (starters.size() == settings_.start_random) break;
      const PooledFunction& function = map_->function(i);
      const bool given = std::any_of(start_.begin(), start_.end(), [&](const Starter& other) {
        return is_same_function(other.function.key, function.key);
      });
      if (!given) starters.push_back(starter(function, start_.size() + starters.size()));
    }
    return starters;
  }

  Proposal start(const Starter& starter) const {
    return propose(plan(starter.function, starter.hyperparameters, "start", kStartStory));
  }

  static TrialPlan plan(const PooledFunction& function, const Hyperparameters& values, const std::string& kind,
                        const std::string& story) {
    Candidate candidate = {.hyperparameters = values};
    candidate.function = {.expr = function.expr, .kind = kind};
    candidate.function.story.push_back(story);
    return plan_of(candidate, function.key);
  }

  // Nothing where every function of the map has been tried.
  std::optional<TrialPlan> choose(std::int64_t number) const {
    const MapChoices choices(setup_, *map_, in_order(), number);
    if (choices.empty()) return std::nullopt;
    const auto take = [&](std::size_t i, const std::string& kind, const std::string& story) {
      return plan(choices.function(i), choices.hyperparameters(i), kind, story);
    };
    Random random(setup_.run.seed, static_cast<std::uint64_t>(number), "exploration");
    if (random.uniform() < settings_.exploration) {
      std::vector<double> luck(choices.size(), 0.0);
      luck[random.below(choices.size())] = 1;
      const auto any = choices.best_new(std::move(luck));
      if (!any) return std::nullopt;
      return take(*any, "exploration", "exploration: any function of the map");
    }
    const Evidence evidence = gather(choices);
    if (evidence.values.empty()) {
      const auto any = choices.best_new(std::vector<double>(choices.size(), 0.0));
      if (!any) return std::nullopt;
      return take(*any, "surrogate", "surrogate: nothing to predict from; a random function");
    }
    const Points places = choices.places();
    const std::vector<double> promise = predictor_.promise(evidence.places, evidence.values, evidence.runs, places);
    const auto best = choices.best_new(promise);
    if (!best) return std::nullopt;
    return take(*best, "surrogate", story(evidence, places.row(*best), promise[*best]));
  }

  // What was tried, as far as it has a place.
  struct Evidence {
    Points places = {};
    std::vector<double> values = {}, runs = {};
    std::vector<std::int64_t> trials = {};
  };

  Evidence gather(const MapChoices& choices) const {
    std::vector<std::int64_t> with_result;
    for (const std::int64_t number : setup_.log->finished()) {
      if (has_score(setup_.log->trial(number))) with_result.push_back(number);
    }
    const Ranking ranking(*setup_.log, with_result, setup_.objectives);
    // What failed is no better than the worst that did not. An accuracy, never negative, is then zero; of several
    // objectives it is one front behind the last.
    double worst = 0;
    for (std::size_t i = 0; i < ranking.size(); ++i) worst = std::min(worst, ranking.metric(i));
    if (setup_.objectives > 1) worst -= 1;
    Evidence evidence;
    evidence.places = Points(0, choices.width());
    // Regressors learn from means, not from what is certain: they know how often a function was evaluated.
    const ScoreEstimates estimates(*setup_.log, setup_.objectives);
    for (std::size_t i = 0; i < ranking.size(); ++i) {
      const std::int64_t number = ranking.number(i);
      add(evidence, choices, number, setup_.objectives == 1 ? estimates.of(number).mean : ranking.metric(i));
    }
    for (const std::int64_t number : setup_.log->finished()) {
      if (!has_score(setup_.log->trial(number))) add(evidence, choices, number, worst);
    }
    return evidence;
  }

  // One that was given up early has the score of a shorter training. That it was no better then is worth knowing.
  bool has_score(const Trial& trial) const {
    const std::vector<double>& scores = trial.outcome.scores;
    return (trial.status() == TrialStatus::kCompleted || trial.status() == TrialStatus::kStopped) &&
           scores.size() >= setup_.objectives &&
           std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); });
  }

  void add(Evidence& evidence, const MapChoices& choices, std::int64_t number, double value) const {
    const TrialPlan& tried = setup_.log->trial(number).plan;
    const std::span<const float> place = map_->place_of(function_key(tried));
    if (place.empty()) return;
    choices.add_place(evidence.places, place, tried.hyperparameters);
    evidence.values.push_back(value);
    evidence.runs.push_back(1.0 + static_cast<double>(ended_repeats(number)));
    evidence.trials.push_back(number);
  }

  std::size_t ended_repeats(std::int64_t number) const {
    const std::span<const std::int64_t> repeats = setup_.log->repeats_of(number);
    return static_cast<std::size_t>(std::ranges::count_if(
        repeats, [&](std::int64_t repeat) { return is_over(setup_.log->trial(repeat).status()); }));
  }

  std::string story(const Evidence& evidence, std::span<const float> place, double promise) const {
    std::size_t nearest = 0;
    double least = distance(place, evidence.places.row(0), Metric::kEuclidean);
    for (std::size_t i = 1; i < evidence.places.count; ++i) {
      const double d = distance(place, evidence.places.row(i), Metric::kEuclidean);
      if (d < least) {
        least = d;
        nearest = i;
      }
    }
    const std::int64_t number = evidence.trials[nearest];
    return "surrogate: predicted " + short_number(promise) + "; the nearest that was tried is trial " +
           std::to_string(number) + ", " + setup_.log->trial(number).plan.expression + ", with " +
           short_number(evidence.values[nearest]) + " at a distance of " + short_number(least);
  }

  StrategySetup setup_;
  AquasurfOptions settings_;
  SurrogateMapOptions options_;
  Predictor predictor_;
  FunctionKeys keys_;
  std::vector<Starter> start_;
  std::unique_ptr<SurrogateMap> own_map_;   // once it is needed
  std::set<std::int64_t> guests_;           // trials
  const SurrogateMap* map_ = nullptr;       // that, or the one it was given
  mutable std::vector<std::size_t> order_;  // of the one it was given
};

// Null where functions are compared by their outputs alone.
FeatureSource* aquasurf_features(Strategy& made) {
  auto& strategy = static_cast<Aquasurf&>(made);
  return strategy.by_spectra() ? &strategy : nullptr;
}

}  // namespace

StrategyRow aquasurf_strategy() {
  return {
      .name = "aquasurf",
      .summary = "AQuaSurF: the function that is predicted to be best, from where it is on a map of the space",
      .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> { return std::make_unique<Aquasurf>(setup); },
      .fields = strategy_fields<AquasurfOptions>(aquasurf_fields(), {.evaluations = 50, .pool = 1000}),
      .check = [](const StrategyOptions& options) { starting_functions(read_aquasurf(options).start); },
      .complete = complete_aquasurf,
      .caution = aquasurf_caution,
      .trials =
          [](const StrategyOptions& options, const StrategyOptions& numbers) {
            return read_aquasurf(with_defaults(options, numbers)).evaluations;
          },
      .prepare = make_shared_map,
      .features = aquasurf_features,
      .wants_spectra = [](const StrategyOptions& options) { return read_aquasurf(options).features != "outputs"; }};
}

}  // namespace actforge
