#include "tools/actforge/search/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "actforge/base/split_list.h"
#include "actforge/recipe/train_options.h"
#include "actforge/search/settings/study_evaluator.h"
#include "actforge/store/backends.h"
#include "tools/actforge/common/libtorch.h"
#include "tools/actforge/common/messages.h"

namespace actforge::tool {
namespace {

// Those that the short help shows, besides --evaluate.
constexpr std::array<std::string_view, 9> kCommonSettings = {"net",    "data", "epochs",    "space",  "strategy",
                                                             "trials", "time", "objective", "workers"};

// Where the help shows an option.
void put_in_help(CLI::Option& option, std::string_view section, const OptionRow& row) {
  option.common(std::ranges::find(kCommonSettings, row.name) != kCommonSettings.end())
      ->group("Settings of the study: [" + std::string(section) + "]");
}

// One that may stand there several times.
void add_list_flag(CLI::App& verb, StudyFlags& flags, std::string_view section, const OptionRow& row,
                   const std::string& /*usual*/) {
  StudyFlags::List& list = flags.lists.emplace_back();
  list.section = section;
  list.name = row.name;
  CLI::Option* option = verb.add_option("--" + std::string(row.name), list.texts, std::string(row.help));
  put_in_help(*option->allow_extra_args(false)->type_name("VALUE"), section, row);
}

// One flag; the text is read when all are known, so that a preset does not depend on where it stands.
void add_flag(CLI::App& verb, StudyFlags& flags, std::string_view section, const OptionRow& row,
              const std::string& usual) {
  const bool is_switch = row.kind == OptionKind::kFlag;  // --halving means --halving true
  CLI::Option* option = verb.add_option_function(
      "--" + std::string(row.name),
      [&flags, is_switch, section = std::string(section), name = std::string(row.name)](const std::string& text) {
        flags.given.push_back({section, name, is_switch && text.empty() ? "true" : text});
      },
      std::string(row.help));
  option->type_name(is_switch ? "[true|false]" : "VALUE");
  put_in_help(*option, section, row);
  // Of one that may stand without a value, CLI11 would take the default in its place.
  is_switch ? option->expected(0, 1) : option->default_str(usual);
}

void add_evaluate(CLI::App& verb, StudyFlags& flags) {
  verb.add_option_function(
          "--evaluate",
          [&flags](const std::string& text) {
            flags.given.push_back({"evaluate", "evaluator", "command"});
            flags.given.push_back({"evaluate", "command", text});
          },
          "Short for --evaluator command --command CMD")
      ->type_name("CMD")
      ->common()
      ->group("Settings of the study: [evaluate]");
}

}  // namespace

void add_study_flags(CLI::App& verb, StudyFlags& flags, StudyFlagKind kind) {
  // A study that goes on keeps what it has.
  const auto usual = [&](const OptionRow& row) { return kind == StudyFlagKind::kAll ? row.usual : "the study's"; };
  for (const StudyField& field : study_fields()) {
    const bool is_early = field.section == "budget" || field.section == "evaluate";
    if (kind == StudyFlagKind::kAll || (field.may_change && (kind != StudyFlagKind::kStage || !is_early))) {
      (field.is_list ? add_list_flag : add_flag)(verb, flags, field.section, option_row(field.option),
                                                 usual(option_row(field.option)));
    }
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    if (kind == StudyFlagKind::kAll || (field.traits.may_change && kind != StudyFlagKind::kStage)) {
      add_flag(verb, flags, "evaluate", field, usual(field));
    }
  }
  if (kind != StudyFlagKind::kAll) return;
  add_evaluate(verb, flags);
  for (const StrategyField& field : strategy_fields()) add_flag(verb, flags, "strategy", field, field.usual);
  for (const TrainField& field : train_fields()) {
    add_flag(verb, flags, "train", option_row(field), "the recipe's");
  }
}

namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return all;
}

}  // namespace

void apply_flags(StudySettings& settings, const StudyFlags& flags) {
  for (const StudyFlags::List& list : flags.lists) {
    if (!list.texts.empty()) set_study_field(settings, list.section, list.name, joined(list.texts));
  }
  for (const bool preset : {true, false}) {
    for (const StudyFlags::Given& flag : flags.given) {
      if ((flag.name == "preset") == preset) set_study_field(settings, flag.section, flag.name, flag.text);
    }
  }
}

namespace {

// With the settings that may have changed since the study began.
std::vector<std::string> own_command(const std::string& verb, const std::string& location,
                                     const StudySettings& settings) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string(), "search", verb,
                                      absolute_location(location)};
  for (const StudyField& field : study_fields()) {
    if (!field.may_change) continue;
    command.insert(command.end(), {"--" + std::string(field.option.name), field_text(settings, field.option)});
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    if (!field.traits.may_change) continue;
    command.insert(command.end(), {"--" + std::string(field.name), field_text(settings.evaluate, field)});
  }
  return command;
}

}  // namespace

std::vector<std::string> worker_command(const std::string& location, const StudySettings& settings) {
  return own_command("worker", location, settings);
}

std::vector<std::string> evaluate_command(const std::string& location, const StudySettings& settings,
                                          const std::string& stage) {
  std::vector<std::string> command = own_command("evaluate", location, settings);
  command.insert(command.end(), {"--stage", stage});
  return command;
}

void add_study_argument(CLI::App& verb, StudyArgument& study) {
  verb.add_option("STUDY", study.location, "The study's file, such as study.db")->required();
  verb.add_flag("--json", study.json, "Answer in JSON");
}

std::string_view status_text(TrialStatus status) {
  return status == TrialStatus::kQuarantined ? "set aside" : trial_status_name(status);
}

void note_cautions(const StudySettings& settings) {
  const std::string caution = find_evaluator(settings.evaluator).nature(settings.evaluate).caution;
  if (!caution.empty()) note("actforge: note: {}", caution);
  const std::size_t gpus = split_list(settings.gpus).size();
  if (gpus <= settings.workers) return;
  note("actforge: note: of the {} GPUs only {} {} used, as there {} {} worker{}; --workers {} uses all", gpus,
       settings.workers, settings.workers == 1 ? "is" : "are", settings.workers == 1 ? "is" : "are", settings.workers,
       settings.workers == 1 ? "" : "s", gpus);
}

Trial find_trial(Store& store, std::uint64_t number) {
  const auto found = number > INT64_MAX ? std::nullopt : store.find(static_cast<std::int64_t>(number));
  if (found) return *found;
  throw Error(ErrorCode::kBadInput,
              fmt::format("there is no trial {}; the study has {}, numbered from 0", number, store.counts().trials));
}

bool evaluator_needs_libtorch(const StudySettings& settings) {
  return find_evaluator(settings.evaluator).make == nullptr;
}

std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings) {
  return evaluator_needs_libtorch(settings) ? make_evaluator(settings, libtorch().evaluators)
                                            : make_evaluator(settings);
}

std::unique_ptr<FeatureProbe> study_probe(const StudySettings& settings, const RunContext& run) {
  if (!wants_spectra(settings)) return nullptr;
  const EvaluatorRow& evaluator = find_evaluator(settings.evaluator);
  return evaluator.trains ? libtorch().make_feature_probe(settings, run) : evaluator.make_probe(settings.evaluate);
}

}  // namespace actforge::tool
