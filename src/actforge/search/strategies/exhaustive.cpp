#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

constexpr const char* kOrigin = "exhaustive";

struct ExhaustiveOptions {
  std::uint64_t runs = 1;
  bool spectra = false;
};

using O = ExhaustiveOptions;
constexpr OptionField<O> kFields[] = {
    {"runs", "of exhaustive: evaluations of each function; all functions have the same seeds, one after the other",
     &O::runs, 1, 1e6},
    {"spectra", "of exhaustive: also measure the spectrum of every function", &O::spectra},
};

ExhaustiveOptions read_exhaustive(const StrategyOptions& texts) { return read_options<O>(texts, kFields); }

void complete(StrategyOptions& texts, const StudyTraits& study) {
  if (!read_exhaustive(texts).spectra || study.has_spectra) return;
  throw Error(
      ErrorCode::kUsage,
      "[strategy] spectra: they need a network that is trained or a benchmark that has them, and the evaluator is '" +
          std::string(study.evaluator) + "'");
}

// First every function once, then every function for the second time: what there is after an early end is as many whole
// rounds as possible.
class Exhaustive : public Strategy, public FeatureSource {
 public:
  explicit Exhaustive(const StrategySetup& setup)
      : setup_(setup), options_(read_exhaustive(setup.options)), fresh_(*setup.space, setup), keys_(setup.sameness) {}

  const std::string& group() const override { return setup_.spectra; }

  std::size_t owed(std::int64_t /*over*/) override {
    read_spectra();
    return wanted_.size();
  }

  std::vector<const PooledFunction*> wanted() const override {
    std::vector<const PooledFunction*> functions;
    functions.reserve(wanted_.size());
    for (const auto& [number, function] : wanted_) functions.push_back(&function);
    return functions;
  }

  Proposal ask(std::int64_t /*number*/) override {
    if (auto plan = next_function()) return propose(std::move(*plan));
    if (const auto number = next_repeat()) return repeat_trial(*number);
    if (!options_.spectra || !setup_.read_spectra) return finished();
    return owed(0) > 0 ? wait_for_others() : finished();
  }

 private:
  std::optional<TrialPlan> next_function() {
    const Space& space = *setup_.space;
    Integer index = next_index();
    if (index < all_known_below_) index = all_known_below_;
    for (std::int64_t refused = 0; index < space.total(); ++index) {
      Offspring function{.expr = space.at(index), .kind = kOrigin};
      function.story.push_back("exhaustive: function " + with_commas(index) + " of " + with_commas(space.total()));
      auto plan = fresh_.plan(with_hyperparameters({std::move(function)}), refused);
      if (plan) {
        plan->refused = refused;
        return plan;
      }
      if (refused > 0) continue;  // counted again when asked again
      all_known_below_ = index;
      ++all_known_below_;
    }
    return std::nullopt;
  }

  // From the function's values, so that one that is met again has the same.
  Candidate with_hyperparameters(Candidate candidate) const {
    if (setup_.hyperparameters.empty()) return candidate;
    const Hash128 hash = Hasher().add(keys_(candidate.function.expr).fingerprint).finish();
    Random random(setup_.run.seed, hash.low, "hyperparameters");
    give_hyperparameters(candidate, setup_, random);
    return candidate;
  }

  // The first function of those that were evaluated least often. One that broke the evaluator is left alone.
  std::optional<std::int64_t> next_repeat() const {
    std::optional<std::int64_t> next;
    std::size_t least = options_.runs - 1;
    for (const Trial& trial : setup_.log->trials()) {
      if (trial.plan.is_repeat() || trial.status() == TrialStatus::kQuarantined) continue;
      const std::size_t repeats = setup_.log->repeats_of(trial.number).size();
      if (repeats >= least) continue;
      least = repeats;
      next = trial.number;
    }
    return next;
  }

  // Which functions that were evaluated have no spectrum yet.
  void read_spectra() {
    for (const StudyFeatures& features : setup_.read_spectra(seen_)) measured_.insert(features.key);
    const std::vector<std::int64_t>& over = setup_.log->finished();
    for (; looked_at_ < over.size(); ++looked_at_) {
      const TrialPlan& plan = setup_.log->trial(over[looked_at_]).plan;
      wanted_.emplace(over[looked_at_],
                      PooledFunction{.expr = parse(plan.expression), .key = {.canonical = function_part(plan.key)}});
    }
    std::erase_if(wanted_, [&](const auto& entry) { return measured_.contains(entry.second.key.canonical); });
  }

  // After the last trial of this strategy. Where a function fits several schemas of a space, index_of() gives the first
  // place; it was tried there, for at the later places it was known.
  Integer next_index() const {
    const std::vector<Trial>& trials = setup_.log->trials();
    const auto last =
        std::find_if(trials.rbegin(), trials.rend(), [](const Trial& trial) { return trial.plan.origin == kOrigin; });
    if (last == trials.rend()) return 0;
    std::optional<Integer> index = setup_.space->index_of(parse(last->plan.expression));
    if (!index) return 0;
    return ++*index;
  }

  StrategySetup setup_;
  ExhaustiveOptions options_;
  Fresh fresh_;
  FunctionKeys keys_;
  Integer all_known_below_ = 0;  // saves the walk when asked again
  std::int64_t seen_ = 0;        // of the store's features
  std::unordered_set<std::string> measured_;
  std::size_t looked_at_ = 0;                      // of the trials that are over
  std::map<std::int64_t, PooledFunction> wanted_;  // by trial
};

FeatureSource* exhaustive_features(Strategy& made) {
  auto& strategy = static_cast<Exhaustive&>(made);
  return strategy.group().empty() ? nullptr : &strategy;
}

}  // namespace

StrategyRow exhaustive_strategy() {
  return {.name = "exhaustive",
          .summary = "every function of the space, in its order",
          .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> {
            return std::make_unique<Exhaustive>(setup);
          },
          .ends = true,
          .races = false,
          .same_seeds = true,
          .fields = strategy_fields<ExhaustiveOptions>(kFields, {}),
          .complete = complete,
          .trials = [](const StrategyOptions&,
                       const StrategyOptions&) { return std::numeric_limits<std::uint64_t>::max(); },
          .features = exhaustive_features,
          .wants_spectra = [](const StrategyOptions& options) { return read_exhaustive(options).spectra; }};
}

}  // namespace actforge
