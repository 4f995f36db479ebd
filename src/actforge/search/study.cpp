#include "actforge/search/study.h"

#include <chrono>

#include "actforge/base/error.h"
#include "actforge/base/random.h"
#include "actforge/search/spectrum_conditions.h"
#include "actforge/search/study_file.h"
#include "actforge/search/study_inputs.h"
#include "actforge/search/train_tasks.h"
#include "actforge/space/find_space.h"

namespace actforge {
namespace {

Space study_space(const StudySettings& settings) {
  try {
    return find_space(settings.space);
  } catch (const Error& error) {
    throw Error(error.code(), "[space] space '" + settings.space + "': " + error.what());
  }
}

}  // namespace

std::string software_version() { return "actforge " ACTFORGE_VERSION; }

std::unique_ptr<Store> create_study(const std::string& place, const StudySettings& settings) {
  // For their errors, before there is a file.
  const Proposals proposals(settings);
  settings.evaluator == "train" ? static_cast<void>(train_tasks(settings))
                                : static_cast<void>(make_evaluator(settings));
  const std::string toml = study_toml(settings, false);
  parse_study(toml);
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  std::unique_ptr<Store> store =
      create_store(place, {.settings = toml, .version = software_version(), .created = now.count()},
                   {.attempts = static_cast<int>(settings.attempts)});
  note_inputs(*store, settings);
  return store;
}

OpenStudy open_study(const std::string& place) {
  OpenStudy study = {.store = open_store(place), .settings = {}};
  try {
    study.settings = parse_study(study.store->header().settings);
  } catch (const Error& error) {
    throw Error(ErrorCode::kStorage, "the settings in '" + place + "' cannot be read: " + error.what());
  }
  // The number of attempts is the study's own.
  study.store = open_store(place, {.attempts = static_cast<int>(study.settings.attempts)});
  return study;
}

StudySettings continued_settings(const StudySettings& stored, const StudySettings& wanted) {
  const std::vector<std::string> differences = study_differences(stored, wanted);
  if (differences.empty()) return wanted;
  std::string list;
  for (const std::string& difference : differences) list += "\n  " + difference;
  throw Error(ErrorCode::kUsage, "this study was begun with other settings:" + list +
                                     "\nGive the new one a file of its own with --study, or take the settings back.");
}

Proposals::Proposals(const StudySettings& settings, Store* store) : settings_(settings), space_(study_space(settings)) {
  StrategySetup setup = {.space = &space_, .log = &log_, .options = settings.options, .seed = settings.seed};
  setup.objectives = study_objectives(settings).size();
  setup.threads = settings.threads;
  setup.store = store;
  if (wants_spectra(settings)) setup.spectra = spectrum_conditions(settings).group;
  strategy_ = find_strategy(settings.strategy).make(setup);
}

Proposal Proposals::operator()(const std::vector<Trial>& changes, std::int64_t number) {
  for (const Trial& change : changes) log_.add(change);
  Proposal proposal = strategy_->ask(number);
  proposal.plan.seed = trial_seed(settings_, number);
  return proposal;
}

std::uint64_t trial_seed(const StudySettings& settings, std::int64_t number) {
  return Random(settings.seed, static_cast<std::uint64_t>(number), "evaluate").next();
}

}  // namespace actforge
