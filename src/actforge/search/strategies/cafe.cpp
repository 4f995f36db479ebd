#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/search/strategies/fresh.h"
#include "actforge/search/strategies/ranking.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

struct CafeOptions {
  std::uint64_t population = 50;
  std::uint64_t generations = 10;
  std::uint64_t elites = 5;
  std::uint64_t newcomers = 10;
};

constexpr CafeOptions kMini = {.population = 12, .generations = 4, .elites = 2, .newcomers = 3};

using O = CafeOptions;

constexpr OptionField<O> kFields[] = {
    {"cafe-population", "of cafe: functions in a generation (N); if not given, it follows from trials", &O::population,
     1, 1e6},
    {"generations", "of cafe: the first, random one included", &O::generations, 1, 1e6},
    {"elites", "of cafe: the best of a generation, which stay in the next; if not given, it follows from N", &O::elites,
     0, 1e6},
    {"newcomers", "of cafe: random functions in each generation (m); if not given, it follows from N", &O::newcomers, 0,
     1e6},
};

// Throws Error (kUsage) where the parts of a generation are more than all of it.
CafeOptions checked(const CafeOptions& options) {
  if (options.elites + options.newcomers > options.population) {
    throw Error(ErrorCode::kUsage, "--elites and --newcomers are " +
                                       std::to_string(options.elites + options.newcomers) +
                                       " together, more than --cafe-population, " + std::to_string(options.population));
  }
  return options;
}

CafeOptions read_cafe(const StrategyOptions& texts) { return checked(read_options<CafeOptions>(texts, kFields)); }

// What nobody chose follows from the rest: a budget that is too small for three generations of the usual size has
// smaller ones, and a smaller generation has as large a share of elites and of newcomers.
CafeOptions fitted(const StrategyOptions& texts, const StudyTraits& study) {
  const CafeOptions usual = read_options<CafeOptions>(study.numbers, kFields);
  CafeOptions options = read_options<CafeOptions>(with_defaults(texts, study.numbers), kFields);
  constexpr std::uint64_t kGenerations = 3, kSmallest = 4;
  if (!texts.contains("cafe-population") && study.functions > 0) {
    options.population =
        std::clamp(study.functions / kGenerations, std::min(kSmallest, usual.population), usual.population);
  }
  const auto share = [&](std::uint64_t part) {
    if (options.population >= usual.population) return part;
    return std::max<std::uint64_t>(1, part * options.population / usual.population);
  };
  if (!texts.contains("elites")) options.elites = share(usual.elites);
  if (!texts.contains("newcomers")) options.newcomers = share(usual.newcomers);
  return checked(options);
}

void complete(StrategyOptions& texts, const StudyTraits& study) {
  write_options<CafeOptions>(texts, kFields, fitted(texts, study));
}

std::string caution(const StrategyOptions& texts, const StudyOutlook& outlook) {
  const CafeOptions options = read_cafe(texts);
  const bool has_few = outlook.functions > 0 && outlook.functions <= options.population;
  if (outlook.first > 0 || (options.generations > 1 && !has_few)) return {};
  return "The first generation, " + std::to_string(options.population) +
         " functions (--cafe-population), is drawn at random, and there will be " +
         (has_few ? "about " + std::to_string(outlook.functions) + " functions" : "no other") +
         ": this is random search. " +
         (has_few ? "A smaller population or more trials let it evolve." : "More --generations let it evolve.");
}

// A generation that is over, as parents: each trial once, with the number of its places in the population.
class Parents {
 public:
  // Repeats count as far as they ended before `last`.
  Parents(const TrialLog& log, const std::map<std::int64_t, std::size_t>& places, std::size_t objectives,
          std::int64_t last)
      : ranking_(log, keys_of(places), objectives, last) {
    double most = -INFINITY;
    for (std::size_t i = 0; i < ranking_.size(); ++i) most = std::max(most, ranking_.metric(i));
    // p_i = exp(L_i) / Σ exp(L_j), of which the sum is left for later; with L_i - max L, as nothing overflows then.
    for (std::size_t i = 0; i < ranking_.size(); ++i) {
      const auto times = static_cast<double>(places.at(ranking_.number(i)));
      total_ += times * std::exp(ranking_.metric(i) - most);
      up_to_.push_back(total_);
    }
  }

  bool empty() const { return up_to_.empty(); }

  std::int64_t draw(Random& random) const {
    const auto at = std::ranges::upper_bound(up_to_, random.uniform() * total_);
    // The product may be rounded up to the total.
    const auto place = std::min(at - up_to_.begin(), std::ssize(up_to_) - 1);
    return ranking_.number(static_cast<std::size_t>(place));
  }

  std::vector<std::int64_t> best(std::size_t count) const {
    std::vector<std::int64_t> numbers;
    for (const std::size_t place : ranking_.order()) {
      if (numbers.size() < count) numbers.push_back(ranking_.number(place));
    }
    return numbers;
  }

 private:
  static std::vector<std::int64_t> keys_of(const std::map<std::int64_t, std::size_t>& places) {
    std::vector<std::int64_t> keys;
    keys.reserve(places.size());
    for (const auto& [number, count] : places) keys.push_back(number);
    return keys;
  }

  Ranking ranking_;
  double total_ = 0;
  std::vector<double> up_to_;  // sums of the weights
};

// Section "Evolution" of chapter CAFE. A generation is a list of places. Each holds a function that is made from (seed,
// generation, place) and the results of the generation before, repeats that had ended by then included; nothing else of
// the log is looked at but for guests, so that a later reader makes the same. A place whose function the study has
// tried, in whatever generation, takes that trial, and needs none of its own; no later trial can come between, for no
// two trials of a study are equal.
//
// Guests are trials that no generation has made: somebody has put them in front, or another strategy chose them. Those
// that had ended when a generation did are parents beside it. Where another strategy went before, its trials are the
// first generation.
class Cafe : public Strategy {
 public:
  explicit Cafe(const StrategySetup& setup)
      : setup_(setup), options_(read_cafe(setup.options)), keys_(setup.sameness) {}

  Proposal ask(std::int64_t /*number*/) override {
    if (places_.empty()) take_history();
    if (places_.empty()) begin(nullptr);
    while (true) {
      for (; asked_ < places_.size(); ++asked_) {
        Place& place = places_[asked_];
        if (!place.trial) place.trial = setup_.log->find(joint_key(place.key, place.candidate.hyperparameters));
        if (!place.trial) return propose_place(place);
      }
      if (generation_ + 1 >= options_.generations) return finished();
      if (!is_generation_over()) return wait_for_others();
      const Parents parents = parents_of_next();
      ++generation_;
      begin(&parents);
    }
  }

 private:
  struct Place {
    Candidate candidate = {};                // of an elite: none
    FunctionKey key = {};                    // of the function alone
    std::int64_t refused = 0;                // functions drawn for this place before
    std::optional<std::int64_t> trial = {};  // once the study has it
  };

  Proposal propose_place(const Place& place) const {
    TrialPlan plan = plan_of(place.candidate, place.key);
    plan.generation = static_cast<std::int64_t>(generation_);
    plan.refused = place.refused;
    return propose(std::move(plan));
  }

  bool is_generation_over() const {
    return std::ranges::all_of(
        places_, [&](const Place& place) { return is_over(setup_.log->trial(place.trial.value()).status()); });
  }

  void take_history() {
    for (const Trial& trial : setup_.log->trials()) {
      if (trial.number < setup_.first && !trial.plan.is_repeat()) places_.push_back({.trial = trial.number});
    }
    asked_ = places_.size();
  }

  // Trials without a result have no children: their probability is zero.
  Parents parents_of_next() {
    std::map<std::int64_t, std::size_t> places;
    std::int64_t last = 0;  // of the generation to end
    for (const Place& place : places_) {
      const std::int64_t number = place.trial.value();
      last = std::max(last, setup_.log->trial(number).finish_order);
      parents_.insert(number);
      if (has_result(setup_.log->trial(number), setup_.objectives)) ++places[number];
    }
    for (const std::int64_t number : setup_.log->finished()) {
      const Trial& trial = setup_.log->trial(number);
      const bool is_guest = trial.finish_order <= last && parents_.insert(number).second;
      if (is_guest && has_result(trial, setup_.objectives)) ++places[number];
    }
    return Parents(*setup_.log, places, setup_.objectives, last);
  }

  // Elites first, then children, then newcomers. Where there are too few results for the elites, there are more
  // children; where there is none, newcomers alone.
  void begin(const Parents* parents) {
    places_.clear();
    asked_ = 0;
    if (parents != nullptr) {
      for (const std::int64_t number : parents->best(options_.elites)) places_.push_back({.trial = number});
    }
    const std::size_t size = options_.population;
    while (places_.size() < size) {
      const std::size_t place = places_.size();
      Random random(setup_.run.seed, generation_ * size + place, "cafe");
      const bool is_child = parents != nullptr && !parents->empty() && place + options_.newcomers < size;
      places_.push_back(new_place(is_child ? parents : nullptr, random));
    }
  }

  // The first draw that the space does not refuse. All children of some parents may be refused: after a while any
  // function will do. That there is one was seen when the study was made.
  Place new_place(const Parents* parents, Random& random) const {
    constexpr int kMostChildren = 100, kMostDraws = 100 * kMostRefused;
    const char* kind = generation_ == 0 ? "initial" : "newcomer";
    for (Place place;;) {
      const bool breed = parents != nullptr && place.refused < kMostChildren;
      place.candidate = breed ? child(*parents, random) : Candidate{uniform_function(*setup_.space, random, kind)};
      const std::string why = setup_.space->refusal(place.candidate.function.expr);
      if (why.empty()) {
        give_hyperparameters(place.candidate, setup_, random);
        place.key = keys_(place.candidate.function.expr);
        return place;
      }
      if (++place.refused == kMostDraws) throw_all_refused(setup_.space->definition().require.value(), why);
    }
  }

  Candidate child(const Parents& parents, Random& random) const {
    const std::int64_t first = parents.draw(random), second = parents.draw(random);
    const auto function = [&](std::int64_t number) { return parse(setup_.log->trial(number).plan.expression); };
    if (keeps_function(setup_, random)) return {{.expr = function(first), .kind = "hyperparameters"}, {first}};
    Candidate child;
    try {
      child = {cross(*setup_.space, function(first), function(second), random), {first, second}};
    } catch (const Error&) {
      // A space of graphs, or two functions that have no subtrees of the same schema: the first is only mutated.
      child = {{.expr = function(first), .kind = "copy"}, {first}};
    }
    if (auto mutant = try_mutate(*setup_.space, child.function.expr, random)) {
      if (child.parents.size() == 1) child.function.kind = mutant->kind;
      child.function.expr = std::move(mutant->expr);
      std::ranges::move(mutant->story, std::back_inserter(child.function.story));
    }
    return child;
  }

  StrategySetup setup_;
  CafeOptions options_;
  FunctionKeys keys_;
  std::uint64_t generation_ = 0;
  std::vector<Place> places_;       // of this generation
  std::size_t asked_ = 0;           // places before have their trials
  std::set<std::int64_t> parents_;  // of this generation and all before
};

// At most: those that were tried before cost nothing.
std::uint64_t most_trials(const StrategyOptions& texts, const StrategyOptions& numbers) {
  const CafeOptions options = fitted(texts, {.numbers = numbers});
  return options.population + (options.generations - 1) * (options.population - options.elites);
}

}  // namespace

StrategyRow cafe_strategy() {
  return {.name = "cafe",
          .summary = "CAFE: generations; parents by the softmax of their scores, crossover, then mutation",
          .make = [](const StrategySetup& setup) -> std::unique_ptr<Strategy> { return std::make_unique<Cafe>(setup); },
          .ends = true,
          .fields = strategy_fields<CafeOptions>(kFields, kMini, {"cafe-population", "elites", "newcomers"}),
          .check = [](const StrategyOptions& options) { fitted(options, {}); },
          .complete = complete,
          .caution = caution,
          .trials = most_trials};
}

}  // namespace actforge
