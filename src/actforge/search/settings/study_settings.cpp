#include "actforge/search/settings/study_settings.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/duration.h"
#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/moments/normal_form.h"
#include "actforge/recipe/train_options.h"
#include "actforge/search/settings/joint_search.h"
#include "actforge/search/settings/study_space.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/search/strategies/strategy.h"

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

// "a, b or c"; with `comma`, "a, b, or c".
std::string listed(const std::vector<std::string_view>& parts, bool comma) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_last = i > 0 && i + 1 == parts.size();
    text += i == 0 ? "" : is_last ? (comma ? ", or " : " or ") : ", ";
    text += parts[i];
  }
  return text;
}

template <class Table>
std::string names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return listed(names, false);
}

std::string evaluator_summaries() {
  std::vector<std::string_view> summaries;
  for (const EvaluatorRow& row : evaluators()) summaries.push_back(row.summary);
  return listed(summaries, true);
}

// As the words of an option.
template <class Table>
std::string words_of(const Table& table) {
  std::string words;
  for (const auto& row : table) words += (words.empty() ? "" : " ") + std::string(row.name);
  return words;
}

std::vector<StudyField> all_fields() {
  static const std::string strategy_help =
      names_of(strategies()) + "; auto: pangaea, or random where there are too few trials";
  static const std::string normal_form_words = "none " + words_of(normal_forms());
  static const std::string evaluator_help = evaluator_summaries(), evaluator_words = words_of(evaluators());
  return {
      // Whole numbers of TOML have 63 bits.
      {"study", {"seed", "of all choices and all training", &S::seed, 0, 9.2e18}},
      {"budget",
       {"trials", "evaluations in all, repeats included; 0: as many as the strategy says", &S::trials, 0,
        static_cast<double>(kMostTrials)},
       true},
      {"budget", {"time", "such as 90s, 15m, 1h30m, 2d; empty: no limit", &S::time}, true},
      {"budget",
       {"repeats",
        "share of the trials that evaluate the most promising functions again, such as 0.3; auto: 0.25 where scores "
        "are noisy, but 0 with the preset paper",
        &S::repeats},
       true},
      {"budget", {"most-runs", "evaluations of one function, the first included", &S::most_runs, 2, 1e6}, true},
      {"space", {"space", "pangaea, cafe-s2, ..., a schema such as binary(unary(x),unary(x)), or a file", &S::space}},
      {"space",
       {"require",
        "what functions must have to be tried: not-constant, finite (on [-10, 10]), cost<=N (times ReLU's), by commas; "
        "none; auto: what the space says, else not-constant, but none with the preset paper",
        &S::require}},
      {.section = "space",
       .option =
           {"with",
            "hyperparameters searched together with the function, such as learning-rate=log:1e-3..0.3; also lin:a..b, "
            "int:a..b and {a,b,c}; several, by commas",
            &S::with},
       .is_list = true},
      {"strategy", {"strategy", strategy_help, &S::strategy}},
      {"strategy",
       {"preset", "numbers of the strategy: standard; paper, without repeats; or mini, for a CPU", &S::preset}},
      {"evaluate", {"evaluator", evaluator_help, &S::evaluator, 0, 0, evaluator_words}},
      {"evaluate",
       {"objective",
        "accuracy, loss (less is better), cost (ns per number), or what a command answers, such as f1:max or "
        "latency:min; several, by commas, keep a Pareto front",
        &S::objective}},
      {"evaluate",
       {"direction", "of an objective of your own, in place of :max or :min", &S::direction, 0, 0, "auto max min"}},
      {"evaluate",
       {"baseline", "a function to compare with, evaluated when the search begins; empty: none", &S::baseline},
       true},
      {"evaluate",
       {"normal-form",
        "the form in which functions are evaluated, so that shapes are compared and not sizes: none, scale (E f² = 1), "
        "centre (E f = 0 as well), slope (E f = 0, E f'² = 1)",
        &S::normal_form, 0, 0, normal_form_words}},
      {"train", {"net", "a network of the zoo, or a file; several, by commas, are an objective each", &S::net}},
      {"train",
       {"data", "a data set, or a folder or file with your own; several, by commas, are an objective each", &S::data}},
      {"train", {"recipe", "actforge train --list; empty: the network's own", &S::recipe}},
      {"train", {"subset", "training images, equally many of each class; 0: all", &S::subset, 0, 1e9}},
      {"train", {"validation", "images held out; 0: the data set's own number", &S::validation, 0, 1e9}},
      {"train", {"threads", "of a worker; 0: one per processor", &S::threads, 0, 4096}, true},
      {"full", {"full-epochs", "epochs; 0: as many as the recipe has", &S::full_epochs, 0, 1e6}, true},
      {"full", {"full-subset", "training images; 0: all", &S::full_subset, 0, 1e9}, true},
      {"early",
       {"grace", "epochs after which a score below the strategy's threshold ends a trial; 0: never", &S::grace, 0,
        1e6}},
      {"early", {"halving", "successive halving: at certain epochs only the best go on", &S::halving}},
      {"early", {"first-rung", "the first of these epochs", &S::first_rung, 1, 1e6}},
      {"early",
       {"keep-one-in", "share that goes on; also how much later the next of these epochs is", &S::keep_one_in, 1.1,
        1000}},
      {"workers", {"workers", "processes", &S::workers, 1, 1024}, true},
      {"workers",
       {"gpus", "such as 0,1: workers get one each, in turn, as CUDA_VISIBLE_DEVICES; empty: as it is", &S::gpus},
       true},
      {"workers",
       {"attempts", "of a trial whose worker or evaluator breaks, before it is set aside", &S::attempts, 1, 100},
       true},
      {"workers",
       {"lease", "seconds without a heartbeat after which a worker counts as dead", &S::lease, 1, 1e6},
       true},
  };
}

const TrainField* find_train_field(std::string_view name) {
  for (const TrainField& field : train_fields()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// What strategies and evaluators have in a section.
std::vector<OptionRow> part_rows(std::string_view section) {
  if (section == "strategy") return {strategy_fields().begin(), strategy_fields().end()};
  if (section == "evaluate") return {evaluator_fields().begin(), evaluator_fields().end()};
  return {};
}

OptionTexts& part_options(StudySettings& settings, std::string_view section) {
  return section == "strategy" ? settings.options : settings.evaluate;
}

std::vector<std::string_view> names_in(std::string_view section) {
  std::vector<std::string_view> names;
  for (const StudyField& field : study_fields()) {
    if (field.section == section) names.push_back(field.option.name);
  }
  for (const OptionRow& row : part_rows(section)) names.push_back(row.name);
  if (section == "train") {
    for (const TrainField& field : train_fields()) names.push_back(field.name);
  }
  return names;
}

[[noreturn]] void unknown_key(std::string_view section, std::string_view name) {
  const std::vector<std::string_view> names = names_in(section);
  throw Error(ErrorCode::kUsage,
              "[" + std::string(section) + "] has no key '" + std::string(name) + "'" + nearest_and_list(name, names));
}

void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

constexpr const char* kAutomatic = "auto";

ObjectiveText objective_text(const StudySettings& settings) {
  return {.text = settings.objective,
          .direction = settings.direction,
          .any_measure = find_evaluator(settings.evaluator).any_measure};
}

// A measure of the evaluator's own is kept with its direction. A text of known ones stays as it is: results are found
// under it.
void complete_objectives(StudySettings& settings) {
  const std::vector<Objective> objectives = read_objectives(objective_text(settings));
  if (settings.direction != kAutomatic || settings.objective.find(':') != std::string::npos) {
    settings.objective = objectives_text(objectives);
  }
  settings.direction = kAutomatic;
}

[[noreturn]] void refuse_unread(std::string_view section, std::string_view name, const std::string& because) {
  throw Error(ErrorCode::kUsage,
              "[" + std::string(section) + "] '" + std::string(name) + "' is given, but nothing reads it: " + because);
}

// What was changed, but is not looked at with the other settings.
void check_unread(const StudySettings& settings, const EvaluatorRow& evaluator, const std::string& because) {
  const StudySettings plain;
  const auto unread = [&](std::string_view section, std::initializer_list<std::string_view> names, bool is_read,
                          const std::string& why) {
    for (const StudyField& field : study_fields()) {
      const bool named = std::find(names.begin(), names.end(), field.option.name) != names.end();
      if (is_read || field.section != section || !named) continue;
      if (field_text(settings, field.option) == field_text(plain, field.option)) continue;
      refuse_unread(section, field.option.name, why);
    }
  };
  unread("train", {"net", "data", "recipe", "subset", "validation"}, evaluator.trains, because);
  unread("full", {"full-epochs", "full-subset"}, evaluator.trains, because);
  unread("early", {"halving"}, evaluator.reports, because);
  unread("early", {"first-rung", "keep-one-in"}, settings.halving, "there is no halving");
}

void check_strategy(const StudySettings& settings, const StrategyRow& strategy) {
  const StrategyOptions& preset = find_strategy_preset(settings.preset).options;
  for (const StrategyField& field : strategy_fields()) {
    const std::string value = field_text(settings.options, field);
    if (strategy.reads(field.name) || value == field_text(preset, field)) continue;
    if (field.is_open && value == field.mini) continue;  // earlier versions wrote the preset's numbers down
    refuse_unread("strategy", field.name, "the strategy is '" + settings.strategy + "'");
  }
}

void check_evaluator_options(const StudySettings& settings, const EvaluatorRow& evaluator) {
  const std::string because = "the evaluator is '" + settings.evaluator + "'";
  for (const EvaluatorField& field : evaluator_fields()) {
    const std::string value = field_text(settings.evaluate, field);
    if (!evaluator.reads(field.name) && value != field.usual) refuse_unread("evaluate", field.name, because);
    if (evaluator.reads(field.name) && field.traits.is_needed && value.empty()) {
      refuse("[evaluate] evaluator '" + settings.evaluator + "' needs '" + std::string(field.name) + "'");
    }
  }
  if (!evaluator.trains && !settings.train.empty()) refuse_unread("train", settings.train.begin()->first, because);
  check_unread(settings, evaluator, because);
}

double read_share(const std::string& text) {
  double share = 0;
  read_option({.name = "repeats", .least = 0, .most = 0.9}, text, share);
  return share;
}

}  // namespace

Sameness sameness(const StudySettings& settings) {
  if (settings.normal_form == "none") return Sameness::kOutputs;
  return find_normal_form(settings.normal_form).centred ? Sameness::kScaleAndShift : Sameness::kScale;
}

RaceOptions race_options(const StudySettings& settings) {
  const double share = settings.repeats == kAutomatic ? 0 : read_share(settings.repeats);
  return {.share = share,
          .most = settings.most_runs,
          .budget = settings.time.empty() && settings.trials < kMostTrials ? settings.trials : 0,
          .objectives = study_objectives(settings).size()};
}

bool has_spectra(const StudySettings& settings) {
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  return evaluator.trains || !evaluator.nature(settings.evaluate).spectra.empty();
}

bool wants_spectra(const StudySettings& settings) {
  const StrategyRow& strategy = find_strategy(settings.strategy);
  return strategy.wants_spectra != nullptr && strategy.wants_spectra(settings.options) && has_spectra(settings);
}

std::span<const StudyField> study_fields() {
  static const std::vector<StudyField> fields = all_fields();
  return fields;
}
std::span<const StudySection> study_sections() { return kSections; }

void set_study_field(StudySettings& settings, std::string_view section, std::string_view name,
                     const std::string& text) {
  for (const StudyField& field : study_fields()) {
    if (field.section != section || field.option.name != name) continue;
    set_field(settings, field.option, text);
    if (name == "preset") settings.options = find_strategy_preset(text).options;
    return;
  }
  for (const OptionRow& row : part_rows(section)) {
    if (row.name == name) return set_field(part_options(settings, section), row, text);
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
  if (settings.strategy == kAutomatic) settings.strategy = automatic_strategy(settings);
  const StrategyRow& strategy = find_strategy(settings.strategy);
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  check_options(settings.options);
  bool leave_open = false;  // the budget is the strategy's own
  if (settings.trials == 0) {
    const std::uint64_t natural = default_trials(strategy, settings.options, find_strategy_preset(settings.preset));
    settings.trials = std::min(natural, kMostTrials);  // so that it can be read back
    leave_open = true;
  }
  if (!settings.time.empty()) read_duration(settings.time);
  complete_objectives(settings);
  check_evaluator_options(settings, evaluator);
  check_strategy(settings, strategy);
  complete_requirements(settings);
  complete_hyperparameters(settings);
  complete_repeats(settings);
  complete_strategy(settings, !leave_open);
  if (settings.normal_form != "none" && !evaluator.no_normal_form.empty()) {
    refuse("[evaluate] normal-form: " + std::string(evaluator.no_normal_form));
  }
  // A strategy that ends by itself needs all its functions, so repeats come on top.
  if (leave_open && strategy.ends && settings.trials < kMostTrials) {
    settings.trials = static_cast<std::uint64_t>(
        std::ceil(static_cast<double>(settings.trials) / (1 - read_share(settings.repeats))));
  }
  if (!settings.recipe.empty()) find_recipe(settings.recipe);
  if (settings.train.count("init") == 0 && evaluator.trains) settings.train["init"] = "autoinit";
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
  for (const StudyField& field : study_fields()) {
    if (field.may_change || field.option.name == "preset") continue;
    compare(field.section, field.option.name, field_text(a, field.option), field_text(b, field.option));
  }
  for (const StrategyField& field : strategy_fields()) {
    compare("strategy", field.name, field_text(a.options, field), field_text(b.options, field));
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    if (field.traits.may_change) continue;
    compare("evaluate", field.name, field_text(a.evaluate, field), field_text(b.evaluate, field));
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
  const std::size_t count = find_evaluator(settings.evaluator).trains ? tasks.size() : 1;
  for (Objective objective : read_objectives(objective_text(settings))) {
    const bool is_cost = objective.measure == "cost";
    for (std::size_t task = 0; task < (is_cost ? 1 : count); ++task) {
      objective.task = task;
      if (count > 1 && !is_cost) objective.name = objective.measure + " of " + tasks[task].name();
      objectives.push_back(objective);
    }
  }
  return objectives;
}

}  // namespace actforge
