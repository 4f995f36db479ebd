#include "actforge/study/study.h"
#include "actforge/base/version.h"

#include <chrono>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/normal_form.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/search/settings/study_evaluator.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/search/settings/study_space.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/study/stage.h"
#include "actforge/study/strategy_switch.h"

namespace actforge {
namespace {

// Runs and features that an older version stored are found under the conditions as they are written today.
void bring_groups_up_to_date(Store& store) {
  const auto rename = [&](const std::string& from, const std::string& to) {
    if (from != to) store.rename_group(from, to);
  };
  for (const std::string& group : store.run_groups()) rename(group, current_run_group(group));
  for (const std::string& group : store.feature_groups()) rename(group, current_spectrum_group(group));
}

// A study in which every function is refused would end at once.
void check_space(const Space& space) {
  Random random(0, 0, "check of a space");
  std::string why;
  for (int i = 0; i < kMostRefused; ++i) {
    // Small functions come first, most are large.
    why = space.refusal(i < space.total() && i % 2 == 0 ? space.at(i / 2) : space.sample(random));
    if (why.empty()) return;
  }
  throw_all_refused(space.definition().require.value(), why);
}

}  // namespace

std::unique_ptr<Store> create_study(const std::string& location, const StudySettings& settings) {
  // For their errors, before there is a file.
  const Proposals proposals(settings);
  check_space(study_space(settings));
  check_evaluator(settings);
  const std::string toml = study_toml(settings, false);
  parse_study(toml);
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  std::unique_ptr<Store> store =
      create_store(location, {.settings = toml, .version = software_version(), .created = now.count()},
                   {.attempts = static_cast<int>(settings.attempts)});
  note_inputs(*store, settings);
  return store;
}

OpenStudy open_study(const std::string& location) {
  OpenStudy study = {.store = open_store(location), .settings = {}, .location = location};
  try {
    study.settings = parse_study(study.store->header().settings);
  } catch (const Error& error) {
    throw Error(ErrorCode::kStorage, "the settings in '" + location + "' cannot be read: " + error.what());
  }
  // A version that knew no repeats has not written how many there are to be.
  if (study.settings.repeats == StudySettings().repeats) study.settings.repeats = "0";
  // One that refused no functions has not written that it does not.
  if (study.settings.require == StudySettings().require) study.settings.require = "none";
  bring_groups_up_to_date(*study.store);
  // The number of attempts is the study's own.
  study.store = open_store(location, {.attempts = static_cast<int>(study.settings.attempts)});
  return study;
}

StudySettings continued_settings(const StudySettings& stored, const StudySettings& wanted) {
  const std::vector<std::string> differences = study_differences(stored, wanted);
  if (differences.empty()) return wanted;
  std::string list;
  for (const std::string& difference : differences) list += "\n  " + difference;
  throw Error(
      ErrorCode::kUsage,
      "this study was begun with other settings:" + list +
          "\nGive the new one a file of its own with --study, or take the settings back." +
          (is_other_strategy(stored, wanted) ? " 'search run' with --strategy goes on with another strategy." : ""));
}

Proposals::Proposals(const StudySettings& settings, Store* store, const RunContext& context,
                     std::shared_ptr<const PreparedSpace> prepared)
    : settings_(settings), space_(study_space(settings)), race_(race_options(settings)), log_(sameness(settings)) {
  StrategySetup setup = {.space = &space_, .log = &log_, .options = settings.options};
  setup.objectives = study_objectives(settings).size();
  setup.sameness = sameness(settings);
  setup.normal_form = settings.normal_form;
  setup.hyperparameters = study_hyperparameters(settings);
  setup.run = {.seed = settings.seed, .threads = settings.threads, .stop = context.stop};
  setup.prepared = std::move(prepared);
  if (store != nullptr) setup.first = strategy_begin(*store, settings);
  if (wants_spectra(settings)) {
    setup.spectra = spectrum_group(settings);
    if (store != nullptr) {
      setup.read_spectra = [store, group = setup.spectra](std::int64_t& seen) { return store->features(group, seen); };
    }
  }
  if (study_objectives(settings)[0].measure != "loss") setup.grace = settings.grace;
  const StrategyRow& row = find_strategy(settings.strategy);
  strategy_ = row.make(setup);
  if (row.features != nullptr) features_ = row.features(*strategy_);
}

Proposal Proposals::operator()(const std::vector<Trial>& changes, std::int64_t number) {
  for (const Trial& change : changes) log_.add(change);
  if (const auto repeated = choose_repeat(log_, race_)) return repeat(*repeated);
  Proposal proposal = strategy_->ask(number);
  if (proposal.kind == Proposal::Kind::kFinished) {
    // The end of a strategy that ends by itself comes before that of its budget.
    const auto last = choose_repeat(log_, {.share = race_.share, .most = race_.most, .objectives = race_.objectives});
    return last ? repeat(*last) : proposal;
  }
  if (proposal.plan.is_repeat()) return repeat(proposal.plan.repeat_of);
  proposal.plan.seed = first_seed(settings_, number);
  return proposal;
}

Expr evaluated_function(const StudySettings& settings, const std::string& expression) {
  return in_normal_form(parse(expression), settings.normal_form);
}

std::optional<std::string> evaluated_text(const StudySettings& settings, const Trial& trial) {
  if (settings.normal_form == "none") return trial.plan.expression;
  try {
    return to_call(evaluated_function(settings, trial.plan.expression));
  } catch (const Error&) {
    return std::nullopt;
  }
}

Proposal Proposals::repeat(std::int64_t number) const {
  const TrialPlan& first = log_.trial(number).plan;
  const std::size_t n = log_.repeats_of(number).size() + 1;
  Proposal proposal;
  proposal.plan = {.expression = first.expression,
                   .hyperparameters = first.hyperparameters,
                   .key = repeat_key(first.key, n),
                   .origin = "repeat",
                   .story = {"repeat: trial " + std::to_string(number) + " once more, with another seed"},
                   .generation = first.generation,
                   .seed = repeat_seed(settings_, n),
                   .repeat_of = number};
  return proposal;
}

std::uint64_t first_seed(const StudySettings& settings, std::int64_t number) {
  return find_strategy(settings.strategy).same_seeds ? repeat_seed(settings, 0) : trial_seed(settings, number);
}

std::uint64_t repeat_seed(const StudySettings& settings, std::size_t n) {
  return Random(settings.seed, n, "repeat").next();
}

std::uint64_t trial_seed(const StudySettings& settings, std::int64_t number) {
  return Random(settings.seed, static_cast<std::uint64_t>(number), "evaluate").next();
}

}  // namespace actforge
