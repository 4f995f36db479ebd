#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/search/fresh.h"
#include "actforge/search/make_strategies.h"
#include "actforge/search/predictor.h"
#include "actforge/search/ranking.h"
#include "actforge/search/surrogate_map.h"
#include "actforge/surrogate/distances.h"

namespace actforge {
namespace {

SurrogateMapOptions map_options(const StrategySetup& setup) {
  const StrategyOptions& options = setup.options;
  const bool has_spectra = !setup.spectra.empty();
  const bool both = options.features == "both" || (options.features == "auto" && has_spectra);
  SurrogateMapOptions map = {.pool = {.first = starting_functions(options), .seed = setup.seed},
                             .size = options.pool,
                             .by_outputs = both || options.features != "eigenvalues",
                             .by_spectra = both || options.features == "eigenvalues"};
  map.pool.threads = setup.threads;
  map.outputs = {.inputs = options.inputs, .evenly = options.evenly, .threads = setup.threads};
  map.map = {.output_neighbours = options.output_neighbours, .spectrum_neighbours = options.spectrum_neighbours};
  map.map.umap = {.dimensions = options.dimensions, .min_dist = options.min_dist};
  map.map.umap.seed = setup.seed;
  map.map.umap.threads = setup.threads;
  map.store = setup.store;
  map.group = setup.spectra;
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

// Chapter "AQuaSurF". First some functions are evaluated that everybody knows, or random ones. Then, again and again,
// scores of all functions of the map are predicted from those that were evaluated, and the best is next.
class Aquasurf : public Strategy {
 public:
  explicit Aquasurf(const StrategySetup& setup)
      : setup_(setup), options_(map_options(setup)), predictor_(predictor_options(setup)) {
    for (const Expr& function : options_.pool.first) start_.push_back({.expr = function, .key = keys_(function)});
  }

  void prepare() override {
    if (options_.by_spectra && options_.store == nullptr) {
      throw Error(ErrorCode::kFailed, "spectra are in a study's store, and there is none");
    }
    if (!map_) map_.emplace(*setup_.space, options_);
    map_->update();
  }

  std::size_t later_features() const override { return map_ ? map_->later_spectra() : 0; }
  bool is_ready() const override { return map_ && map_->is_ready(); }
  std::vector<const Expr*> wanted() const override { return map_ ? map_->missing() : std::vector<const Expr*>(); }

  Proposal ask(std::int64_t number) override {
    if (const PooledFunction* next = untried(start_)) return start(*next);
    if (!map_) prepare();
    if (!map_->is_ready()) return wait_for_others();
    const std::vector<PooledFunction> random = random_start();
    if (const PooledFunction* next = untried(random)) return start(*next);
    if (!all_over(start_) || !all_over(random)) return wait_for_others();
    for (;;) {
      if (auto plan = choose(number)) return propose(std::move(*plan));
      if (map_->grow()) continue;
      return map_->missing().empty() ? finished() : wait_for_others();
    }
  }

 private:
  static PredictorOptions predictor_options(const StrategySetup& setup) {
    return {.regressor = setup.options.regressor, .acquisition = setup.options.acquisition, .seed = setup.seed};
  }

  const PooledFunction* untried(const std::vector<PooledFunction>& functions) const {
    for (const PooledFunction& function : functions) {
      if (!setup_.log->find(function.key)) return &function;
    }
    return nullptr;
  }

  bool all_over(const std::vector<PooledFunction>& functions) const {
    return std::all_of(functions.begin(), functions.end(), [&](const PooledFunction& function) {
      const auto number = setup_.log->find(function.key);
      return number && is_over(setup_.log->trial(*number).status());
    });
  }

  // The first functions of the map, whose order is random, beside those that were given.
  std::vector<PooledFunction> random_start() const {
    std::vector<PooledFunction> functions;
    for (const std::size_t i : map_->in_order()) {
      if (functions.size() == setup_.options.start_random) break;
      const PooledFunction& function = map_->function(i);
      const bool given = std::any_of(start_.begin(), start_.end(), [&](const PooledFunction& other) {
        return other.key.canonical == function.key.canonical || other.key.fingerprint == function.key.fingerprint;
      });
      if (!given) functions.push_back(function);
    }
    return functions;
  }

  Proposal start(const PooledFunction& function) const {
    return propose(plan(function, "start", "start: evaluated before anything can be predicted"));
  }

  TrialPlan plan(const PooledFunction& function, const std::string& kind, const std::string& story) const {
    Candidate candidate;
    candidate.function = {.expr = function.expr, .kind = kind};
    candidate.function.story.push_back(story);
    return plan_of(candidate, function.key);
  }

  // Nothing where every function of the map has been tried.
  std::optional<TrialPlan> choose(std::int64_t number) const {
    std::vector<std::size_t> left;
    for (const std::size_t i : map_->in_order()) {
      if (!setup_.log->find(map_->function(i).key)) left.push_back(i);
    }
    if (left.empty()) return std::nullopt;
    Random random(setup_.seed, static_cast<std::uint64_t>(number), "exploration");
    if (random.uniform() < setup_.options.exploration) {
      return plan(map_->function(left[random.below(left.size())]), "exploration",
                  "exploration: any function of the map");
    }
    const Evidence evidence = gather();
    if (evidence.values.empty()) {
      return plan(map_->function(left[0]), "surrogate", "surrogate: nothing to predict from; a random function");
    }
    Points places(left.size(), map_->places().width);
    for (std::size_t i = 0; i < left.size(); ++i) {
      std::copy_n(map_->places().row(left[i]).begin(), places.width, places.row(i).begin());
    }
    const std::vector<double> promise = predictor_.promise(evidence.places, evidence.values, places);
    const auto best = static_cast<std::size_t>(std::max_element(promise.begin(), promise.end()) - promise.begin());
    return plan(map_->function(left[best]), "surrogate", story(evidence, places.row(best), promise[best]));
  }

  // What was tried, as far as it has a place.
  struct Evidence {
    Points places = {};
    std::vector<double> values = {};
    std::vector<std::int64_t> trials = {};
  };

  Evidence gather() const {
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
    evidence.places = Points(0, map_->places().width);
    for (std::size_t i = 0; i < ranking.size(); ++i) add(evidence, ranking.number(i), ranking.metric(i));
    for (const std::int64_t number : setup_.log->finished()) {
      if (!has_score(setup_.log->trial(number))) add(evidence, number, worst);
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

  void add(Evidence& evidence, std::int64_t number, double value) const {
    const TrialPlan& tried = setup_.log->trial(number).plan;
    const auto place = map_->find({.canonical = tried.key, .fingerprint = tried.fingerprint});
    if (!place) return;
    const std::span<const float> row = map_->places().row(*place);
    evidence.places.values.insert(evidence.places.values.end(), row.begin(), row.end());
    ++evidence.places.count;
    evidence.values.push_back(value);
    evidence.trials.push_back(number);
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
  SurrogateMapOptions options_;
  Predictor predictor_;
  FunctionKeys keys_;
  std::vector<PooledFunction> start_;
  std::optional<SurrogateMap> map_;
};

}  // namespace

std::unique_ptr<Strategy> make_aquasurf(const StrategySetup& setup) { return std::make_unique<Aquasurf>(setup); }

}  // namespace actforge
