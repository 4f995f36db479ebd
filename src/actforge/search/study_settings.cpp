#include "actforge/search/study_settings.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/duration.h"
#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/search/strategy.h"
#include "actforge/train/train_options.h"

namespace actforge {
namespace {

using S = StudySettings;

constexpr StudySection kSections[] = {
    {"study", "What everything random comes from."},
    {"budget", "When the search ends: whichever comes first."},
    {"space", "Which functions there are: a name (actforge space list), schemas, or a TOML file."},
    {"strategy", "How the next function is chosen."},
    {"evaluate", "How a function gets its score."},
    {"train", "For the evaluator train: what is trained on what. Every setting of a recipe can stand here too."},
    {"full",
     "For the evaluator train, after the search: how long functions are trained to be ranked again and tested."},
    {"early", "Which trials end before their time."},
    {"workers", "Processes that evaluate, one function each at a time."},
};

const StudyField kFields[] = {
    // Whole numbers of TOML have 63 bits.
    {"study", {"seed", "of all choices and all training", &S::seed, 0, 9.2e18}},
    {"budget",
     {"trials", "functions to evaluate; 0: as many as the strategy says", &S::trials, 0,
      static_cast<double>(kMostTrials)},
     true},
    {"budget", {"time", "such as 90s, 15m, 1h30m, 2d; empty: no limit", &S::time}, true},
    {"space", {"space", "pangaea, cafe-s2, ..., a schema such as binary(unary(x),unary(x)), or a file", &S::space}},
    {"strategy",
     {"strategy", "aquasurf, pangaea, pangaea-no-parameters, mutation, cafe, random or exhaustive", &S::strategy}},
    {"strategy", {"preset", "numbers of the strategy: paper, or mini for a CPU", &S::preset}},
    {"evaluate",
     {"evaluator", "train a network, run a command, look up a table, or the distance to a target function",
      &S::evaluator, 0, 0, "train command table distance"}},
    {"evaluate",
     {"objective", "accuracy, loss (less is better), cost (ns per number); several, by commas, keep a Pareto front",
      &S::objective}},
    {"evaluate",
     {"command",
      "of evaluator command: prints one line of JSON; {expr}, {expr_pytorch}, {file_pytorch}, {seed} are "
      "replaced",
      &S::command}},
    {"evaluate",
     {"directory", "of evaluator command: where it runs; empty: where the study was begun", &S::directory},
     true},
    {"evaluate", {"table", "of evaluator table: a CSV file with the columns expression and accuracy", &S::table}},
    {"evaluate", {"target", "of evaluator distance: the function to find", &S::target}},
    {"evaluate", {"delay", "of evaluator distance: seconds that it pretends to work", &S::delay, 0, 3600}},
    {"evaluate", {"timeout", "seconds that a trial may take; 0: no limit", &S::timeout, 0, 1e7}},
    {"evaluate",
     {"baseline", "a function to compare with, evaluated when the search begins; empty: none", &S::baseline},
     true},
    {"train", {"net", "a network of the zoo, or a file; several, by commas, are an objective each", &S::net}},
    {"train", {"data", "a data set; several, by commas, are an objective each", &S::data}},
    {"train", {"recipe", "actforge train --list; empty: the network's own", &S::recipe}},
    {"train", {"subset", "training images, equally many of each class; 0: all", &S::subset, 0, 1e9}},
    {"train", {"validation", "images held out; 0: the data set's own number", &S::validation, 0, 1e9}},
    {"train", {"threads", "of a worker; 0: one per processor", &S::threads, 0, 4096}, true},
    {"full", {"full-epochs", "epochs; 0: as many as the recipe has", &S::full_epochs, 0, 1e6}, true},
    {"full", {"full-subset", "training images; 0: all", &S::full_subset, 0, 1e9}, true},
    {"early",
     {"grace", "epochs after which a score below the strategy's threshold ends a trial; 0: never", &S::grace, 0, 1e6}},
    {"early", {"halving", "successive halving: at certain epochs only the best go on", &S::halving}},
    {"early", {"first-rung", "the first of these epochs", &S::first_rung, 1, 1e6}},
    {"early",
     {"keep-one-in", "share that goes on; also how much later the next of these epochs is", &S::keep_one_in, 1.1,
      1000}},
    {"workers", {"workers", "processes", &S::workers, 1, 1024}, true},
    {"workers",
     {"attempts", "of a trial whose worker or evaluator breaks, before it is set aside", &S::attempts, 1, 100},
     true},
    {"workers",
     {"lease", "seconds without a sign of life after which a worker counts as dead", &S::lease, 1, 1e6},
     true},
};

const TrainField* find_train_field(std::string_view name) {
  for (const TrainField& field : train_fields()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::vector<std::string_view> names_in(std::string_view section) {
  std::vector<std::string_view> names;
  for (const StudyField& field : kFields) {
    if (field.section == section) names.push_back(field.option.name);
  }
  if (section == "strategy") {
    for (const StrategyField& field : strategy_fields()) {
      if (field.name != "trials") names.push_back(field.name);
    }
  }
  if (section == "train") {
    for (const TrainField& field : train_fields()) names.push_back(field.name);
  }
  return names;
}

[[noreturn]] void unknown_key(std::string_view section, std::string_view name) {
  const std::vector<std::string_view> names = names_in(section);
  std::string list;
  for (const std::string_view known : names) list += (list.empty() ? "" : ", ") + std::string(known);
  throw Error(ErrorCode::kUsage, "[" + std::string(section) + "] has no key '" + std::string(name) + "'" +
                                     did_you_mean(name, names) + " (there are: " + list + ")");
}

void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

void check_objectives(const StudySettings& settings) {
  const std::vector<std::string> words = split_list(settings.objective);
  if (words.empty()) refuse("[evaluate] objective: at least one of accuracy, loss, cost");
  constexpr std::string_view kMeasures[] = {"accuracy", "loss", "cost"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(std::begin(kMeasures), std::end(kMeasures), words[i]) == std::end(kMeasures)) {
      refuse("[evaluate] objective: unknown measure '" + words[i] + "'" + did_you_mean(words[i], kMeasures) +
             " (there are: accuracy, loss, cost)");
    }
    if (std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i), words[i]) !=
        words.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse("[evaluate] objective: '" + words[i] + "' stands there twice");
    }
  }
  if (words[0] == "cost")
    refuse("[evaluate] objective: the cost cannot come first; the cheapest function is a constant");
}

// What was changed, but is not looked at with the other settings.
void check_unread(const StudySettings& settings) {
  const StudySettings plain;
  const bool trains = settings.evaluator == "train", waits = trains || settings.evaluator == "command";
  const auto unread = [&](std::string_view section, std::initializer_list<std::string_view> names, bool is_read,
                          const std::string& because) {
    for (const StudyField& field : kFields) {
      const bool named = std::find(names.begin(), names.end(), field.option.name) != names.end();
      if (is_read || field.section != section || !named) continue;
      if (field_text(settings, field.option) == field_text(plain, field.option)) continue;
      refuse("[" + std::string(section) + "] '" + std::string(field.option.name) +
             "' is given, but nothing reads it: " + because);
    }
  };
  const std::string evaluator = "the evaluator is '" + settings.evaluator + "'";
  unread("train", {"net", "data", "recipe", "subset", "validation"}, trains, evaluator);
  unread("full", {"full-epochs", "full-subset"}, trains, evaluator);
  unread("early", {"halving"}, waits, evaluator);
  unread("evaluate", {"timeout"}, waits, evaluator);
  unread("early", {"first-rung", "keep-one-in"}, settings.halving, "there is no halving");
  const StrategyOptions& preset = find_strategy_preset(settings.preset).options;
  const std::string strategy = "the strategy is '" + settings.strategy + "'";
  for (const StrategyField& field : strategy_fields()) {
    if (field.name == "trials" || field_text(settings.options, field) == field_text(preset, field)) continue;
    if (!settings.strategy.starts_with(field.strategy)) {
      refuse("[strategy] '" + std::string(field.name) + "' is given, but nothing reads it: " + strategy);
    }
  }
}

void check_evaluator(const StudySettings& settings) {
  const auto needs = [&](std::string_view kind, const std::string& value, const char* key) {
    if (settings.evaluator == kind && value.empty()) {
      refuse("[evaluate] evaluator '" + std::string(kind) + "' needs '" + key + "'");
    }
    if (settings.evaluator != kind && !value.empty()) {
      refuse("[evaluate] '" + std::string(key) + "' is given, but nothing reads it: the evaluator is '" +
             settings.evaluator + "'");
    }
  };
  needs("command", settings.command, "command");
  needs("table", settings.table, "table");
  if (!settings.directory.empty() && settings.evaluator != "command") {
    refuse("[evaluate] 'directory' is given, but nothing reads it: the evaluator is '" + settings.evaluator + "'");
  }
  needs("distance", settings.target, "target");
  if (settings.delay != 0 && settings.evaluator != "distance") {
    refuse("[evaluate] 'delay' is given, but nothing reads it: the evaluator is '" + settings.evaluator + "'");
  }
  if (settings.evaluator != "train" && !settings.train.empty()) {
    refuse("[train] '" + settings.train.begin()->first + "' is given, but nothing reads it: the evaluator is '" +
           settings.evaluator + "'");
  }
  check_unread(settings);
}

// Spectra are those of the network that is trained.
void complete_features(StudySettings& settings) {
  if (settings.strategy != "aquasurf") return;
  std::string& features = settings.options.features;
  if (features == "auto") features = settings.evaluator == "train" ? "both" : "outputs";
  if (features != "outputs" && settings.evaluator != "train") {
    refuse("[strategy] features: '" + features + "' needs a network that is trained, and the evaluator is '" +
           settings.evaluator + "'; take 'outputs'");
  }
  if (settings.options.acquisition != "maximum" && settings.options.regressor != "gp") {
    refuse("[strategy] 'acquisition' is given, but nothing reads it: the regressor is '" + settings.options.regressor +
           "', not 'gp'");
  }
  if (settings.options.start_random == 0 && starting_functions(settings.options).empty()) {
    refuse("[strategy] 'start' names no functions and 'start-random' is 0: nothing could be predicted");
  }
}

}  // namespace

bool wants_spectra(const StudySettings& settings) {
  return settings.strategy == "aquasurf" && settings.options.features != "outputs" && settings.evaluator == "train";
}

std::span<const StudyField> study_fields() { return kFields; }
std::span<const StudySection> study_sections() { return kSections; }

void set_study_field(StudySettings& settings, std::string_view section, std::string_view name,
                     const std::string& text) {
  for (const StudyField& field : kFields) {
    if (field.section != section || field.option.name != name) continue;
    set_field(settings, field.option, text);
    if (name == "preset") settings.options = find_strategy_preset(text).options;
    return;
  }
  if (section == "strategy") {
    for (const StrategyField& field : strategy_fields()) {
      if (field.name == name && name != "trials") return set_field(settings.options, field, text);
    }
  }
  if (section == "train") {
    if (const TrainField* field = find_train_field(name)) {
      TrainOptions probe;
      set_field(probe, *field, text);
      // A command line takes ".05" and "007", TOML does not; and equal numbers are to have equal texts.
      settings.train[std::string(name)] = field_text(probe, *field);
      return;
    }
  }
  unknown_key(section, name);
}

void complete_settings(StudySettings& settings) {
  const StrategyRow& strategy = find_strategy(settings.strategy);
  check_options(settings.options);
  if (settings.trials == 0) {
    const auto natural = static_cast<std::uint64_t>(default_trials(strategy, settings.options));
    settings.trials = std::min(natural, kMostTrials);  // so that it can be read back
  }
  // The default is an accuracy.
  const bool by_loss = settings.objective.starts_with("loss") && settings.strategy.starts_with("pangaea");
  if (by_loss && settings.options.threshold == StrategyOptions().threshold) settings.options.threshold = -INFINITY;
  if (!settings.time.empty()) read_duration(settings.time);
  check_objectives(settings);
  check_evaluator(settings);
  complete_features(settings);
  if (!settings.recipe.empty()) find_recipe(settings.recipe);
  if (settings.train.count("init") == 0 && settings.evaluator == "train") settings.train["init"] = "autoinit";
  if (split_list(settings.net).empty() || split_list(settings.data).empty()) {
    refuse("[train] needs at least one network and one data set");
  }
}

std::vector<std::string> study_differences(const StudySettings& a, const StudySettings& b) {
  std::vector<std::string> differences;
  const auto compare = [&](std::string_view section, std::string_view name, const std::string& x,
                           const std::string& y) {
    if (x != y) {
      differences.push_back("[" + std::string(section) + "] " + std::string(name) + ": '" + x + "' there, '" + y +
                            "' here");
    }
  };
  for (const StudyField& field : kFields) {
    if (field.may_change || field.option.name == "preset") continue;
    compare(field.section, field.option.name, field_text(a, field.option), field_text(b, field.option));
  }
  for (const StrategyField& field : strategy_fields()) {
    if (field.name != "trials")
      compare("strategy", field.name, field_text(a.options, field), field_text(b.options, field));
  }
  for (const TrainField& field : train_fields()) {
    const auto text = [&](const StudySettings& s) {
      const auto found = s.train.find(std::string(field.name));
      return found == s.train.end() ? std::string() : found->second;
    };
    compare("train", field.name, text(a), text(b));
  }
  return differences;
}

std::vector<StudyTask> study_tasks(const StudySettings& settings) {
  std::vector<StudyTask> tasks;
  for (const std::string& net : split_list(settings.net)) {
    for (const std::string& data : split_list(settings.data)) tasks.push_back({net, data});
  }
  return tasks;
}

std::vector<Objective> study_objectives(const StudySettings& settings) {
  std::vector<Objective> objectives;
  const std::vector<StudyTask> tasks = study_tasks(settings);
  const std::size_t count = settings.evaluator == "train" ? tasks.size() : 1;
  for (const std::string& measure : split_list(settings.objective)) {
    for (std::size_t task = 0; task < (measure == "cost" ? 1 : count); ++task) {
      const bool several = count > 1 && measure != "cost";
      objectives.push_back({measure, task, several ? measure + " of " + tasks[task].name() : measure});
    }
  }
  return objectives;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string_view part = text.substr(at, end - at);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

}  // namespace actforge
