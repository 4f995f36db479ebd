#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/search/strategies/feature_source.h"
#include "actforge/search/strategies/hyperparameter_space.h"
#include "actforge/search/strategies/strategy_options.h"
#include "actforge/search/strategies/trial_log.h"
#include "actforge/space/space.h"
#include "actforge/store/store.h"

namespace actforge {

class PreparedSpace;

// What a strategy may look at. All of it outlives the strategy.
struct StrategySetup {
  const Space* space = nullptr;
  const TrialLog* log = nullptr;
  StrategyOptions options = {};
  RunContext run = {};  // what takes long ends with Error (kCancelled) when it is told to stop
  std::size_t objectives = 1;
  Sameness sameness = Sameness::kOutputs;  // which functions count as equal; the log's too
  std::string normal_form = "none";        // in which functions are evaluated, hence compared by outputs
  // Searched together with the function.
  HyperparameterSpace hyperparameters = {};
  // Epochs after which a trial may be given up for its score; 0: never, or it is a loss.
  std::uint64_t grace = 0;
  // The number of the trial from which on it chooses: those before are of another strategy, or of this one with other
  // options.
  std::int64_t first = 0;
  // Spectra of functions, and the conditions under which they were measured (spectrum_conditions.h). Without: there are
  // none.
  FeatureReader read_spectra = {};
  std::string spectra = {};
  // What was made before by StrategyRow::prepare, for those who try a strategy many times; without, it makes its own.
  std::shared_ptr<const PreparedSpace> prepared = {};
};

// Chooses the next function. A strategy keeps nothing that cannot be found again: its choices come from (seed, trial
// number or generation, purpose), from the trials of the log and from features in the store, so that a study that was
// stopped anywhere goes on as if it had not been. Asked again without a change of the log, it says the same.
class Strategy {
 public:
  virtual ~Strategy() = default;
  // The trial of this number, which is the log's next. Its function equals none in the log; or it repeats a trial
  // (repeat_trial()). kWait: when others have ended. kFinished: never again.
  // May take long: nobody waits for it.
  virtual Proposal ask(std::int64_t number) = 0;
  // Why a trial with this point on its learning curve has failed; empty: it is worth going on.
  virtual std::string failure(const CurvePoint& /*point*/) const { return {}; }
};

// What else of a study a strategy's options depend on.
struct StudyTraits {
  bool by_fraction = false;         // the first objective is an accuracy from 0 to 1
  bool has_spectra = false;         // the evaluator trains a network, or looks up a benchmark with spectra
  std::string_view evaluator = {};  // its name
  std::uint64_t functions = 0;      // that it will try at most, repeats left out; 0: not known
  StrategyOptions numbers = {};     // StrategyPreset::numbers
};

// What a strategy is to judge a study by, before it begins or later.
struct StudyOutlook {
  std::string_view strategy = {};  // its name
  std::uint64_t functions = 0;     // as in StudyTraits, those that were tried included
  std::int64_t first = 0;          // as in StrategySetup
  std::size_t objectives = 1;
  bool never_positive = false;    // the first score: it is a loss
  const TrialLog* log = nullptr;  // the trials so far; null: none
};

// A row of the table in strategies.cpp: all that is to be known of a strategy without making one. What a strategy has
// no need of is left out.
struct StrategyRow {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup) = nullptr;
  bool ends = false;        // by itself
  bool races = true;        // a study with it evaluates promising functions again, unless told otherwise
  bool same_seeds = false;  // all functions have the same, hence the same split and order of the images
  // What it reads. A name that several strategies have means the same in all of them.
  std::vector<StrategyField> fields = {};
  // Whether its options fit each other. Throws Error (kUsage).
  void (*check)(const StrategyOptions& options) = nullptr;
  // Fills in what was left open, and checks that all fits the study. Throws Error (kUsage). What it has filled in stays
  // when it is called again.
  void (*complete)(StrategyOptions& options, const StudyTraits& study) = nullptr;
  // Why a study with these completed options does not do what the strategy is for, such as evolve functions, as a
  // sentence or two; empty: it does.
  std::string (*caution)(const StrategyOptions& options, const StudyOutlook& outlook) = nullptr;
  // A study's budget where the user gave none, by the options that were given and the preset's numbers; left out: the
  // preset's.
  std::uint64_t (*trials)(const StrategyOptions& options, const StrategyOptions& numbers) = nullptr;
  // What a strategy of this row works out about the space, by features that are there.
  std::shared_ptr<const PreparedSpace> (*prepare)(const StrategySetup& setup) = nullptr;
  // The features that a strategy of this row looks at; null where it looks at none.
  FeatureSource* (*features)(Strategy& made) = nullptr;
  // Whether it compares functions by spectra of the Fisher information.
  bool (*wants_spectra)(const StrategyOptions& options) = nullptr;
  // How many functions live at the same time, of a strategy that evolves them one by one.
  std::uint64_t (*population)(const StrategyOptions& options) = nullptr;

  bool reads(std::string_view option) const;
};
std::span<const StrategyRow> strategies();
// Throws Error (kUsage) with the nearest name.
const StrategyRow& find_strategy(std::string_view name);

// Checks the options of all strategies. Throws Error (kUsage).
void check_options(const StrategyOptions& options);

// Fewer functions are not worth a population.
inline constexpr std::uint64_t kFewestToEvolve = 8;
// The strategy where nobody chose one, for so many functions; 0: not known how many.
std::string_view automatic_strategy(std::uint64_t functions);

// A study's budget where the user gave none.
std::uint64_t default_trials(const StrategyRow& strategy, const StrategyOptions& options, const StrategyPreset& preset);

}  // namespace actforge
