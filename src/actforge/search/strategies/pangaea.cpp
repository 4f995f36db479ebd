#include <algorithm>
#include <limits>

#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/ranking.h"
#include "actforge/search/strategies/score_estimate.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

constexpr double kNoThreshold = -std::numeric_limits<double>::infinity();

struct PangaeaOptions {
  std::uint64_t population = 64;
  std::uint64_t sample = 16;
  double threshold = 0.2;
};

constexpr PangaeaOptions kMini = {.population = 8, .sample = 4};

using O = PangaeaOptions;

constexpr OptionField<O> kFields[] = {
    {"population",
     "of pangaea: the most recent functions, from which parents come (P); if not given, it follows from trials",
     &O::population, 1, 1e6},
    {"sample",
     "of pangaea: functions drawn from them, of which the best is the parent (S); if not given, it follows from P",
     &O::sample, 1, 1e6},
    {"threshold",
     "of pangaea: the least score of a parent (V), in the unit of the first objective; -inf lets all pass; if not "
     "given: "
     "0.2 for accuracies from 0 to 1, else -inf",
     &O::threshold, kNoThreshold},
};

PangaeaOptions read_pangaea(const StrategyOptions& texts) { return read_options<PangaeaOptions>(texts, kFields); }

// Section "Discovering Activation Functions with Evolution", in the asynchronous form of appendix "Compute
// Infrastructure and Cost": a parent comes from the P functions that were evaluated most recently. With one worker that
// is the sliding window of regularised evolution, from which the oldest function goes when one is added.
class Pangaea : public Strategy {
 public:
  Pangaea(const StrategySetup& setup, const PangaeaOptions& options, std::optional<Space> own_space = std::nullopt)
      : setup_(setup),
        options_(options),
        own_space_(std::move(own_space)),
        space_(own_space_ ? *own_space_ : *setup.space),
        fresh_(space_, setup) {}
  Pangaea(const Pangaea&) = delete;  // space_ may point into itself
  Pangaea& operator=(const Pangaea&) = delete;

  Proposal ask(std::int64_t number) override {
    Random random(setup_.run.seed, static_cast<std::uint64_t>(number), "pangaea");
    const bool is_first = setup_.log->functions() < static_cast<std::int64_t>(options_.population);
    const Ranking population(*setup_.log, is_first ? std::vector<std::int64_t>() : recent(), setup_.objectives);
    // A child that is known is drawn again, its parent with it: of one parent all children may be known.
    auto plan = fresh_.first(
        random, [&] { return population.size() == 0 ? first_function(random) : child(population, random); });
    return propose_or_finish(plan ? std::move(plan) : fresh_.any(random, "random"));
  }

  // It would have no children.
  std::string failure(const CurvePoint& point) const override {
    const double threshold = options_.threshold;
    const bool is_late = setup_.grace > 0 && point.epoch >= static_cast<std::int64_t>(setup_.grace);
    if (!is_late || point.score >= threshold) return {};
    return "below the threshold " + option_text(threshold) + " after epoch " + std::to_string(point.epoch);
  }

 private:
  // What became of a trial does not keep it from having been evaluated, but from having children.
  bool admitted(const Trial& trial, const ScoreEstimates& estimates) const {
    return has_result(trial, setup_.objectives) && estimates.of(trial.number).mean >= options_.threshold &&
           space_.admits(parse(trial.plan.expression));
  }

  // The P that ended last among those admitted, or as many as there are.
  std::vector<std::int64_t> recent() const {
    std::vector<std::int64_t> numbers;
    const ScoreEstimates estimates(*setup_.log, setup_.objectives);
    const std::vector<std::int64_t>& finished = setup_.log->finished();
    for (auto at = finished.rbegin(); at != finished.rend() && numbers.size() < options_.population; ++at) {
      if (admitted(setup_.log->trial(*at), estimates)) numbers.push_back(*at);
    }
    return numbers;
  }

  Candidate first_function(Random& random) const {
    const bool has_forms = space_.is_graph_space() && space_.definition().max_nodes.value() >= 3;
    return {has_forms ? initial(space_, random) : uniform_function(space_, random, "initial")};
  }

  Candidate child(const Ranking& population, Random& random) const {
    std::size_t best = random.below(population.size());
    for (std::uint64_t i = 1; i < options_.sample; ++i) {
      const std::size_t drawn = random.below(population.size());
      if (population.better(drawn, best)) best = drawn;
    }
    const std::int64_t parent = population.number(best);
    if (keeps_function(setup_, random)) {
      return {{.expr = parse(setup_.log->trial(parent).plan.expression), .kind = "hyperparameters"}, {parent}};
    }
    auto mutant = try_mutate(space_, parse(setup_.log->trial(parent).plan.expression), random);
    if (!mutant) return {uniform_function(space_, random, "random")};
    return {std::move(*mutant), {parent}};
  }

  StrategySetup setup_;
  PangaeaOptions options_;
  std::optional<Space> own_space_;
  const Space& space_;
  Fresh fresh_;
};

std::unique_ptr<Strategy> make_pangaea(const StrategySetup& setup) {
  return std::make_unique<Pangaea>(setup, read_pangaea(setup.options));
}

std::unique_ptr<Strategy> make_without_parameters(const StrategySetup& setup) {
  SpaceDefinition definition = setup.space->definition();
  definition.parameters = 0;
  return std::make_unique<Pangaea>(setup, read_pangaea(setup.options), Space(definition));
}

// P = 1, S = 1, V = 0%: an accuracy is never less, while a negative loss is, so that nothing is asked of either.
std::unique_ptr<Strategy> make_mutation(const StrategySetup& setup) {
  return std::make_unique<Pangaea>(setup, PangaeaOptions{.population = 1, .sample = 1, .threshold = kNoThreshold});
}

// What nobody chose. The population is so small that the budget renews it six times, and no larger than usual; the
// sample is a quarter of it, or half of a small one. The usual threshold is an accuracy from 0 to 1: guessing one of
// ten classes has 0.1. Of any other measure nothing is known, not even its sign.
void complete(StrategyOptions& texts, const StudyTraits& study) {
  const PangaeaOptions usual = read_pangaea(study.numbers);
  PangaeaOptions options = read_pangaea(with_defaults(texts, study.numbers));
  constexpr std::uint64_t kRenewals = 6, kSmallest = 4, kHalf = 4;
  if (!texts.contains("population") && study.functions > 0) {
    const std::uint64_t wanted = (study.functions + kRenewals / 2) / kRenewals;
    options.population = std::clamp(wanted, std::min(kSmallest, usual.population), usual.population);
  }
  if (!texts.contains("sample") && options.population != usual.population) {
    options.sample = std::max({std::uint64_t{1}, options.population / 4, std::min(options.population / 2, kHalf)});
  }
  if (!texts.contains("threshold") && !study.by_fraction) options.threshold = kNoThreshold;
  write_options<PangaeaOptions>(texts, kFields, options);
}

std::string too_few(const PangaeaOptions& options, std::uint64_t functions) {
  return "The first " + std::to_string(options.population) +
         " functions (--population) are drawn at random, and there will be about " + std::to_string(functions) +
         ": this is random search. A smaller population or more trials let it evolve.";
}

// With the trials so far: whether any of them may have children.
std::string no_parents(const PangaeaOptions& options, const StudyOutlook& outlook) {
  const TrialLog& log = *outlook.log;
  const ScoreEstimates estimates(log, outlook.objectives);
  std::size_t results = 0;
  double best = kNoThreshold;
  for (const std::int64_t number : log.finished()) {
    if (!has_result(log.trial(number), outlook.objectives)) continue;
    ++results;
    best = std::max(best, estimates.of(number).mean);
  }
  if (results > 0 && best < options.threshold) {
    return "No function has reached the threshold of " + option_text(options.threshold) +
           " (--threshold); the best score is " + option_text(best) +
           ". So none has children, and this is random search. 'actforge search run STUDY --strategy " +
           std::string(outlook.strategy) + " --threshold -inf' lets all pass.";
  }
  if (log.functions() == 0 || log.functions() > static_cast<std::int64_t>(options.population)) return {};
  return "Evolution has not begun: the first " + std::to_string(options.population) +
         " functions are drawn at random, and there are " + std::to_string(log.functions()) + " so far.";
}

std::string caution(const StrategyOptions& texts, const StudyOutlook& outlook) {
  const PangaeaOptions options = read_pangaea(texts);
  if (outlook.functions > 0 && outlook.functions <= options.population) return too_few(options, outlook.functions);
  if (outlook.log != nullptr && outlook.log->functions() > 0) return no_parents(options, outlook);
  if (!outlook.never_positive || options.threshold <= 0) return {};
  return "A loss is a negative score, and no negative score reaches the threshold of " +
         option_text(options.threshold) +
         ": no function has children, and this is random search. --threshold -inf lets all pass.";
}

}  // namespace

StrategyRow pangaea_strategy() {
  return {.name = "pangaea",
          .summary = "PANGAEA: regularised evolution; the best of a sample of the most recent functions is mutated",
          .make = make_pangaea,
          .fields = strategy_fields<PangaeaOptions>(kFields, kMini, {"population", "sample", "threshold"}),
          .complete = complete,
          .caution = caution,
          .population = [](const StrategyOptions& options) { return read_pangaea(options).population; }};
}

StrategyRow pangaea_no_parameters_strategy() {
  StrategyRow row = pangaea_strategy();
  row.name = "pangaea-no-parameters";
  row.summary = "the same without learnable parameters";
  row.make = make_without_parameters;
  return row;
}

StrategyRow mutation_strategy() {
  return {.name = "mutation",
          .summary = "PANGAEA without selection: each function is a mutation of the last",
          .make = make_mutation,
          .races = false};
}

}  // namespace actforge
