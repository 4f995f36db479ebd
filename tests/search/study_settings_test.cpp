// Settings of a study and their files.
#include "actforge/search/settings/study_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "actforge/base/random.h"
#include "actforge/recipe/train_options.h"
#include "actforge/search/settings/study_file.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

void expect_same(const StudySettings& a, const StudySettings& b) {
  for (const StudyField& field : study_fields()) {
    EXPECT_EQ(field_text(a, field.option), field_text(b, field.option)) << field.section << " " << field.option.name;
  }
  for (const StrategyField& field : strategy_fields()) {
    EXPECT_EQ(field_text(a.options, field), field_text(b.options, field)) << field.name;
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    EXPECT_EQ(field_text(a.evaluate, field), field_text(b.evaluate, field)) << field.name;
  }
  EXPECT_EQ(a.train, b.train);
}

void expect_read_back(const StudySettings& settings) {
  for (const bool comments : {false, true}) expect_same(parse_study(study_toml(settings, comments)), settings);
}

StudySettings distance_settings() {
  StudySettings settings;
  settings.evaluator = "distance";
  settings.evaluate["target"] = "tanh(x)";
  return settings;
}

// Values that may stand in a field, none the default of all of them.
std::vector<std::string> values_for(const OptionRow& field) {
  if (field.name == "preset") return {"mini", "paper"};
  if (field.kind == OptionKind::kFlag) return {"true", "false"};
  if (field.kind == OptionKind::kText) {
    if (!field.words.empty()) return {std::string(field.words.substr(field.words.rfind(' ') + 1))};
    return {"",
            "plain",
            "it's \"quoted\" \\ # = [x] {y} $z",
            "tab\tline\nreturn\rbell\a delete\x7f",
            "größer ≤ 日本語",
            "\"\"\"",
            "'''",
            "\\u0041\\"};
  }
  const double most = std::min(field.most, 1e18);
  if (field.kind == OptionKind::kWhole) {
    return {std::to_string(static_cast<std::uint64_t>(field.least)), std::to_string(static_cast<std::uint64_t>(most)),
            std::to_string(static_cast<std::uint64_t>(std::min(field.least + 17, most)))};
  }
  const double least = std::max(field.least, -1e18);
  return {option_text(field.least), option_text(field.most), option_text(least + (most - least) * 0.1234567890123),
          option_text(least + (most - least) * 1e-9), option_text(std::min(least + 2, most))};
}

template <class Options>
std::vector<std::string> values_for(const OptionField<Options>& field) {
  return values_for(option_row(field));
}

void expect_field_survives(std::string_view section, const OptionRow& field) {
  for (const std::string& value : values_for(field)) {
    SCOPED_TRACE(std::string(field.name) + " = " + value);
    StudySettings settings;
    set_study_field(settings, section, field.name, value);
    expect_read_back(settings);
  }
}

TEST(StudySettings, DefaultsReadBack) {
  expect_read_back({});
  expect_same(parse_study(""), {});
}

TEST(StudySettings, EveryFieldReadsBack) {
  for (const StudyField& field : study_fields()) expect_field_survives(field.section, option_row(field.option));
  for (const StrategyField& field : strategy_fields()) expect_field_survives("strategy", field);
  for (const EvaluatorField& field : evaluator_fields()) expect_field_survives("evaluate", field);
  for (const TrainField& field : train_fields()) expect_field_survives("train", option_row(field));
}

TEST(StudySettings, AllFieldsTogetherReadBack) {
  StudySettings settings;
  set_study_field(settings, "strategy", "preset", "mini");
  for (const StudyField& field : study_fields()) {
    if (field.option.name != "preset") {
      set_study_field(settings, field.section, field.option.name, values_for(field.option).back());
    }
  }
  for (const StrategyField& field : strategy_fields()) {
    set_study_field(settings, "strategy", field.name, values_for(field).back());
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    set_study_field(settings, "evaluate", field.name, values_for(field).back());
  }
  for (const TrainField& field : train_fields()) {
    set_study_field(settings, "train", field.name, values_for(field).back());
  }
  EXPECT_EQ(settings.train.size(), train_fields().size());
  expect_read_back(settings);
}

// A command line takes them; TOML would not.
TEST(StudySettings, NumbersOfACommandLineReadBack) {
  for (const std::string text : {".05", "5.", "00.5", "1e-3", "1E2"}) {
    StudySettings settings;
    set_study_field(settings, "train", "learning-rate", text);
    set_study_field(settings, "early", "keep-one-in", "0" + std::string("03."));
    expect_read_back(settings);
  }
  StudySettings settings;
  set_study_field(settings, "train", "epochs", "007");
  set_study_field(settings, "study", "seed", "9000000000000000000");
  expect_read_back(settings);
  // TOML has whole numbers of 64 bits with a sign.
  EXPECT_THROW(set_study_field(settings, "study", "seed", "9223372036854775808"), Error);
}

TEST(StudySettings, WhatIsRequiredOfFunctions) {
  const auto completed = [](StudySettings settings) {
    complete_settings(settings);
    return settings.require;
  };
  StudySettings settings = distance_settings();
  EXPECT_EQ(completed(settings), "not-constant");
  settings.preset = "paper";
  EXPECT_EQ(completed(settings), "none");
  settings.require = "cost<=8,finite";
  EXPECT_EQ(completed(settings), "finite,cost<=8");
  const ScratchFolder folder;
  const std::string file = (folder.path() / "own.toml").string();
  std::ofstream(file) << "schemas = [\"unary(x)\"]\nrequire = \"finite\"\n";
  settings.require = "auto";
  settings.space = file;
  EXPECT_EQ(completed(settings), "finite");
  settings.require = "finit";
  EXPECT_THROW(completed(settings), Error);
}

TEST(StudySettings, EqualNumbersAreNoDifference) {
  StudySettings a, b;
  set_study_field(a, "train", "learning-rate", "0.05");
  set_study_field(b, "train", "learning-rate", "5e-2");
  EXPECT_TRUE(study_differences(a, b).empty());
}

TEST(StudySettings, ExampleHasACommentForEverything) {
  const std::string text = study_toml({}, true);
  for (const StudySection& section : study_sections()) {
    EXPECT_NE(text.find("# " + std::string(section.summary)), std::string::npos) << section.name;
  }
  for (const StudyField& field : study_fields()) {
    EXPECT_NE(text.find("# " + std::string(field.option.help)), std::string::npos) << field.option.name;
  }
  for (const StrategyField& field : strategy_fields()) {
    EXPECT_NE(text.find("# " + std::string(field.help)), std::string::npos) << field.name;
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    EXPECT_NE(text.find("# " + std::string(field.help)), std::string::npos) << field.name;
  }
  EXPECT_EQ(study_toml({}, false).find('#'), std::string::npos);
}

TEST(StudySettings, EveryFieldHasASectionAndItsOwnName) {
  std::vector<std::string> names;
  for (const StudyField& field : study_fields()) {
    EXPECT_TRUE(std::ranges::any_of(study_sections(), [&](const auto& s) { return s.name == field.section; }));
    names.emplace_back(field.option.name);
  }
  // On a command line they stand side by side.
  for (const StrategyField& field : strategy_fields()) names.emplace_back(field.name);
  for (const EvaluatorField& field : evaluator_fields()) names.emplace_back(field.name);
  for (const TrainField& field : train_fields()) names.emplace_back(field.name);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST(StudySettings, ReadsNumbersWordsAndLists) {
  const StudySettings settings = parse_study(
      "[study]\nseed = 12\n[evaluate]\nobjective = [\"accuracy\", \"cost\"]\n[early]\nhalving = true\nkeep-one-in = "
      "2.5\n"
      "[strategy]\nthreshold = -inf\n[workers]\nlease = 30\n[train]\nlearning-rate = 0.01\nflip = true\n");
  EXPECT_EQ(settings.seed, 12u);
  EXPECT_EQ(settings.objective, "accuracy,cost");
  EXPECT_TRUE(settings.halving);
  EXPECT_EQ(settings.keep_one_in, 2.5);
  EXPECT_EQ(settings.options.at("threshold"), "-inf");
  EXPECT_EQ(settings.lease, 30);
  EXPECT_EQ(settings.train.at("learning-rate"), "0.01");
  EXPECT_EQ(settings.train.at("flip"), "true");
}

std::string complaint(const std::string& toml) {
  return message_of([&] { parse_study(toml); });
}

TEST(StudySettings, UnknownNamesGetALineAndAnAnswer) {
  EXPECT_EQ(complaint("[study]\n\nsede = 3\n"),
            "line 3: [study] has no key 'sede'; did you mean 'seed'? (there are: seed)");
  EXPECT_TRUE(complaint("[strategy]\nstrategy = \"cafe\"\npopulatoin = 3\n")
                  .starts_with("line 3: [strategy] has no key 'populatoin'; did you mean 'population'? (there are: "));
  EXPECT_TRUE(complaint("[train]\nlearning_rate = 3\n")
                  .starts_with("line 2: [train] has no key 'learning_rate'; did you mean 'learning-rate'?"));
  EXPECT_EQ(complaint("\n[budgte]\ntrials = 3\n"),
            "line 2: there is no section or key 'budgte'; did you mean 'budget'? (sections: study, budget, space, "
            "strategy, evaluate, train, full, early, workers)");
  EXPECT_TRUE(complaint("seed = 3\n").starts_with("line 1: there is no section or key 'seed'"));
  // A field of another section, and a strategy's budget, which stands in [budget].
  EXPECT_TRUE(complaint("[study]\ntrials = 3\n").starts_with("line 2: [study] has no key 'trials'"));
  EXPECT_TRUE(complaint("[strategy]\ntrials = 3\n").starts_with("line 2: [strategy] has no key 'trials'"));
}

TEST(StudySettings, WrongValuesGetALine) {
  EXPECT_EQ(complaint("[study]\nseed = \"many\"\n"),
            "line 2: --seed takes a whole number from 0 to 9.2e+18, not 'many'");
  EXPECT_TRUE(complaint("[study]\nseed = -1\n").starts_with("line 2: --seed takes a whole number"));
  EXPECT_TRUE(complaint("[study]\nseed = 1.5\n").starts_with("line 2: --seed takes a whole number"));
  EXPECT_TRUE(complaint("[study]\nseed = true\n").starts_with("line 2: --seed takes a whole number"));
  EXPECT_TRUE(complaint("[study]\nseed = []\n").starts_with("line 2: --seed takes a whole number"));
  EXPECT_TRUE(complaint("[early]\nhalving = 1\n").starts_with("line 2: --halving takes true or false"));
  EXPECT_TRUE(complaint("[early]\nkeep-one-in = 1.0\n").starts_with("line 2: --keep-one-in takes a number from 1.1"));
  EXPECT_TRUE(complaint("[evaluate]\nevaluator = \"dice\"\n").starts_with("line 2: --evaluator takes one of train, "));
  EXPECT_EQ(complaint("[strategy]\npreset = \"minni\"\n"), "line 2: unknown preset 'minni'; did you mean 'mini'?");
  EXPECT_EQ(complaint("[evaluate]\nobjective = [1, 2]\n"), "line 2: 'objective' takes a list of words in quotes");
  EXPECT_TRUE(complaint("[budget]\ntime = 2024-01-01\n").starts_with("line 2: 'time' takes a number, a text"));
  EXPECT_TRUE(complaint("[budget]\ntime = {a = 1}\n").starts_with("line 2: 'time' takes a number, a text"));
  EXPECT_TRUE(complaint("[train]\nmomentum = 2\n").starts_with("line 2: --momentum takes a number from 0 to"));
  EXPECT_EQ(complaint("study = 3\n"), "line 1: 'study' is a section: write [study] and its keys below");
  EXPECT_TRUE(complaint("[[study]]\nseed = 3\n").starts_with("line 1: 'study' is a section"));
}

TEST(StudySettings, BrokenFilesGetALine) {
  EXPECT_TRUE(complaint("[study]\nseed = \n").starts_with("line 2: "));
  EXPECT_TRUE(complaint("[study]\nseed = 1\nseed = 2\n").starts_with("line 3: "));
  EXPECT_TRUE(complaint("[study\n").starts_with("line 1: "));
  EXPECT_TRUE(complaint("[study]\nseed = 1 # \xff\xfe\n").starts_with("line 2: "));
  EXPECT_EQ(complaint(std::string(2 << 20, '#')), "this is larger than any study file");
  EXPECT_EQ(complaint("[study]\nseed = " + std::string(6000, '[')), "more than 5000 dots or brackets");
  // Deep, but within that.
  EXPECT_NE(complaint("[study]\nseed = " + std::string(2400, '[') + std::string(2400, ']')), "no error");
  std::string deep = "a";
  for (int i = 0; i < 4900; ++i) deep += ".a";
  EXPECT_NE(complaint("[study]\n" + deep + " = 1\n"), "no error");
  EXPECT_NE(complaint("[" + deep + "]\n"), "no error");
}

TEST(StudySettings, FilesAreNamedInErrors) {
  const ScratchFolder folder;
  const std::string path = (folder.path() / "study.toml").string();
  EXPECT_EQ(message_of([&] { read_study_file(path); }),
            "cannot read the study file '" + path + "'; 'actforge search new -o " + path + "' writes an example");
  std::ofstream(path) << "[study]\nsede = 1\n";
  EXPECT_TRUE(message_of([&] { read_study_file(path); }).starts_with(path + ": line 2: [study] has no key 'sede'"));
  std::ofstream(path) << "[study]\nseed = 5\n";
  EXPECT_EQ(read_study_file(path).seed, 5u);
  // What is not there takes its default; nothing may be there at all.
  std::ofstream(path) << "";
  expect_same(read_study_file(path), {});
  EXPECT_TRUE(message_of([&] { read_study_file(folder.path().string()); }).starts_with("cannot read the study file"));
}

TEST(StudySettings, APresetMayStandAnywhere) {
  const StudySettings first = parse_study("[strategy]\npreset = \"mini\"\npopulation = 5\nelites = 1\n");
  const StudySettings last = parse_study("[strategy]\nelites = 1\npopulation = 5\npreset = \"mini\"\n");
  expect_same(first, last);
  EXPECT_EQ(first.options.at("population"), "5");
  EXPECT_EQ(first.options.at("elites"), "1");
  EXPECT_EQ(first.options.at("pool"), find_strategy_preset("mini").options.at("pool"));
  EXPECT_FALSE(first.options.contains("sample"));  // which follows from the budget
}

TEST(StudySettings, ObjectivesAreTakenOnEveryTask) {
  StudySettings settings;
  settings.net = "allcnn-mini, resnet8";
  settings.data = "digits,mnist";
  settings.objective = "accuracy, cost";
  std::vector<std::string> names;
  for (const StudyTask& task : study_tasks(settings)) names.push_back(task.name());
  EXPECT_EQ(names, (std::vector<std::string>{"allcnn-mini on digits", "allcnn-mini on mnist", "resnet8 on digits",
                                             "resnet8 on mnist"}));
  names.clear();
  std::vector<std::size_t> tasks;
  for (const Objective& objective : study_objectives(settings)) {
    names.push_back(objective.name);
    tasks.push_back(objective.task);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"accuracy of allcnn-mini on digits", "accuracy of allcnn-mini on mnist",
                                             "accuracy of resnet8 on digits", "accuracy of resnet8 on mnist", "cost"}));
  EXPECT_EQ(tasks, (std::vector<std::size_t>{0, 1, 2, 3, 0}));
  // Other evaluators train nothing.
  settings.evaluator = "distance";
  EXPECT_EQ(study_objectives(settings).size(), 2u);
  EXPECT_EQ(study_objectives({}).size(), 1u);
  EXPECT_EQ(study_objectives({})[0].name, "accuracy");
}

TEST(StudySettings, AnObjectiveKeepsItsDirection) {
  StudySettings settings = parse_study(
      "[evaluate]\nevaluator = \"command\"\ncommand = \"x {expr}\"\nobjective = \"reward\"\ndirection = \"max\"");
  complete_settings(settings);
  EXPECT_EQ(settings.objective, "reward:max");
  EXPECT_EQ(settings.direction, "auto");
  // What is no accuracy has no least score.
  EXPECT_EQ(settings.options.at("threshold"), "-inf");
  complete_settings(settings);
  EXPECT_EQ(settings.objective, "reward:max");
  // Results of older studies are found by what was written then.
  StudySettings known = parse_study("[evaluate]\nobjective = \"loss, cost\"");
  complete_settings(known);
  EXPECT_EQ(known.objective, "loss, cost");
}

TEST(StudySettings, CompletingFillsInWhatWasLeftOpen) {
  StudySettings settings;
  complete_settings(settings);
  EXPECT_EQ(settings.trials, 1000u);
  EXPECT_EQ(settings.train.at("init"), "autoinit");
  StudySettings mini = parse_study("[strategy]\npreset = \"mini\"\n");
  complete_settings(mini);
  EXPECT_EQ(mini.trials, 60u);
  StudySettings given = parse_study("[budget]\ntrials = 12\n[train]\ninit = \"he-normal\"\n");
  complete_settings(given);
  EXPECT_EQ(given.trials, 12u);
  EXPECT_EQ(given.train.at("init"), "he-normal");
  StudySettings distance = distance_settings();
  complete_settings(distance);
  EXPECT_TRUE(distance.train.empty());
}

// Those of a strategy that ends by itself have no natural number of trials.
TEST(StudySettings, CompletedSettingsReadBack) {
  for (const char* strategy : {"exhaustive", "random", "cafe", "pangaea", "mutation"}) {
    StudySettings settings = distance_settings();
    settings.strategy = strategy;
    complete_settings(settings);
    EXPECT_GT(settings.trials, 0u);
    expect_read_back(settings);
    StudySettings again = settings;
    complete_settings(again);
    expect_same(again, settings);
  }
}

std::string completing(const std::function<void(StudySettings&)>& change) {
  StudySettings settings = distance_settings();
  change(settings);
  return message_of([&] { complete_settings(settings); });
}

TEST(StudySettings, CompletingChecksWhatDependsOnSeveralFields) {
  using S = StudySettings;
  EXPECT_EQ(completing([](S&) {}), "no error");
  EXPECT_EQ(completing([](S& s) { s.strategy = "pangea"; }),
            "code 2: unknown strategy 'pangea'; did you mean 'pangaea'?");
  EXPECT_TRUE(
      completing([](S& s) { s.options["elites"] = "60"; }).starts_with("code 2: --elites and --newcomers are 70"));
  // Elites and newcomers follow from the population, before there is a budget and after.
  EXPECT_EQ(completing([](S& s) { s.strategy = "cafe", s.trials = 0, s.options["cafe-population"] = "8"; }),
            "no error");
  EXPECT_TRUE(completing([](S& s) { s.time = "soon"; }).starts_with("code 2: 'soon' is not a time"));
  EXPECT_EQ(completing([](S& s) { s.time = "1h30m"; }), "no error");
  EXPECT_EQ(completing([](S& s) { s.objective = " , "; }),
            "code 2: [evaluate] objective: at least one of accuracy, loss, cost");
  EXPECT_EQ(completing([](S& s) { s.objective = "acuracy"; }),
            "code 2: [evaluate] objective: unknown measure 'acuracy'; did you mean 'accuracy'? (there are: accuracy, "
            "loss, cost)");
  EXPECT_EQ(completing([](S& s) { s.objective = "loss,accuracy,loss"; }),
            "code 2: [evaluate] objective: 'loss' stands there twice");
  EXPECT_TRUE(completing([](S& s) { s.objective = "cost"; }).starts_with("code 2: [evaluate] objective: the cost"));
  EXPECT_EQ(completing([](S& s) { s.objective = "loss, cost"; }), "no error");
  EXPECT_TRUE(completing([](S& s) { s.recipe = "minni"; }).starts_with("code 2: "));
  EXPECT_EQ(completing([](S& s) { s.evaluator = "train", s.evaluate["target"] = "", s.net = ","; }),
            "code 2: [train] needs at least one network and one data set");
  EXPECT_EQ(completing([](S& s) { s.evaluator = "train", s.evaluate["target"] = "", s.data = ""; }),
            "code 2: [train] needs at least one network and one data set");
}

TEST(StudySettings, WhatNothingReadsIsRefused) {
  using S = StudySettings;
  const auto unread = [](std::string_view section, std::string_view name) {
    return "code 2: [" + std::string(section) + "] '" + std::string(name) + "' is given, but nothing reads it: ";
  };
  EXPECT_TRUE(completing([](S& s) { s.net = "allcnn-c"; }).starts_with(unread("train", "net")));
  EXPECT_TRUE(completing([](S& s) { s.subset = 5; }).starts_with(unread("train", "subset")));
  EXPECT_TRUE(completing([](S& s) { s.halving = true; }).starts_with(unread("early", "halving")));
  EXPECT_TRUE(completing([](S& s) { s.evaluate["timeout"] = "5"; }).starts_with(unread("evaluate", "timeout")));
  EXPECT_TRUE(completing([](S& s) { s.first_rung = 5; }).starts_with(unread("early", "first-rung")));
  EXPECT_TRUE(completing([](S& s) { s.options["elites"] = "4"; }).starts_with(unread("strategy", "elites")));
  EXPECT_TRUE(completing([](S& s) {
                s.strategy = "cafe", s.options["population"] = "4";
              }).starts_with(unread("strategy", "population")));
  EXPECT_EQ(completing([](S& s) { s.strategy = "cafe", s.options["elites"] = "4"; }), "no error");
}

TEST(StudySettings, EveryEvaluatorGetsItsOwnFieldsAlone) {
  using S = StudySettings;
  EXPECT_EQ(completing([](S& s) { s.evaluate["target"] = ""; }),
            "code 2: [evaluate] evaluator 'distance' needs 'target'");
  EXPECT_EQ(completing([](S& s) { s = {}, s.evaluator = "command"; }),
            "code 2: [evaluate] evaluator 'command' needs 'command'");
  EXPECT_EQ(completing([](S& s) { s = {}, s.evaluator = "table"; }),
            "code 2: [evaluate] evaluator 'table' needs 'table'");
  const std::string rest = " is given, but nothing reads it: the evaluator is ";
  EXPECT_EQ(completing([](S& s) { s.evaluate["command"] = "x"; }),
            "code 2: [evaluate] 'command'" + rest + "'distance'");
  EXPECT_EQ(completing([](S& s) { s.evaluate["table"] = "x"; }), "code 2: [evaluate] 'table'" + rest + "'distance'");
  EXPECT_EQ(completing([](S& s) { s.evaluator = "train"; }), "code 2: [evaluate] 'target'" + rest + "'train'");
  EXPECT_EQ(completing([](S& s) { s = {}, s.evaluate["delay"] = "1"; }),
            "code 2: [evaluate] 'delay'" + rest + "'train'");
  EXPECT_EQ(completing([](S& s) { s.evaluate["delay"] = "1"; }), "no error");
  EXPECT_EQ(completing([](S& s) { s.train["epochs"] = "3"; }), "code 2: [train] 'epochs'" + rest + "'distance'");
}

// Another value than the field has now.
std::string other_value(const OptionRow& field, const std::string& now) {
  for (const std::string& value : values_for(field)) {
    if (value != now) return value;
  }
  return now;
}

TEST(StudySettings, DifferencesAreWhatMakesAnotherStudy) {
  const StudySettings settings;
  EXPECT_TRUE(study_differences(settings, settings).empty());
  for (const StudyField& field : study_fields()) {
    if (field.option.name == "preset") continue;
    StudySettings other = settings;
    set_study_field(other, field.section, field.option.name,
                    other_value(option_row(field.option), field_text(settings, field.option)));
    if (field.option.name == "evaluator") other.evaluator = "table";
    EXPECT_EQ(study_differences(settings, other).size(), field.may_change ? 0u : 1u) << field.option.name;
  }
  for (const StrategyField& field : strategy_fields()) {
    StudySettings other = settings;
    set_study_field(other, "strategy", field.name, other_value(field, field_text(settings.options, field)));
    EXPECT_EQ(study_differences(settings, other).size(), 1u) << field.name;
  }
  for (const EvaluatorField& field : evaluator_fields()) {
    StudySettings other = settings;
    set_study_field(other, "evaluate", field.name, other_value(field, field_text(settings.evaluate, field)));
    EXPECT_EQ(study_differences(settings, other).size(), field.traits.may_change ? 0u : 1u) << field.name;
  }
  for (const TrainField& field : train_fields()) {
    StudySettings other = settings;
    set_study_field(other, "train", field.name, other_value(option_row(field), ""));
    EXPECT_EQ(study_differences(settings, other).size(), 1u) << field.name;
  }
}

TEST(StudySettings, DifferencesSayBothValues) {
  StudySettings a, b;
  b.seed = 3;
  b.trials = 5;
  b.train["epochs"] = "4";
  EXPECT_EQ(study_differences(a, b),
            (std::vector<std::string>{"[study] seed: '0' there, '3' here", "[train] epochs: '' there, '4' here"}));
  // Only what a preset sets counts, not its name.
  b = {};
  b.preset = "mini";
  EXPECT_TRUE(study_differences(a, b).empty());
}

TEST(StudySettings, SplitsLists) {
  using L = std::vector<std::string>;
  EXPECT_EQ(split_list(""), L{});
  EXPECT_EQ(split_list(" , ,"), L{});
  EXPECT_EQ(split_list("a"), L{"a"});
  EXPECT_EQ(split_list("a,b"), (L{"a", "b"}));
  EXPECT_EQ(split_list(" a , b c ,,d "), (L{"a", "b c", "d"}));
}

std::string mutated(std::string text, Random& random) {
  static const std::vector<std::string> kPieces = {"[",
                                                   "]",
                                                   "\"",
                                                   "\n",
                                                   "=",
                                                   ".",
                                                   "#",
                                                   "'",
                                                   "{",
                                                   "}",
                                                   ",",
                                                   "-",
                                                   "inf",
                                                   "nan",
                                                   "1e999",
                                                   "true",
                                                   "\\u12",
                                                   "\\",
                                                   "0x",
                                                   "[[a]]\n",
                                                   "\r",
                                                   "\xff",
                                                   "\"\"\"",
                                                   "preset = \"mini\"\n",
                                                   "99999999999999999999"};
  for (std::uint64_t i = 1 + random.below(3); i > 0; --i) {
    const std::size_t at = random.below(text.size());
    switch (random.below(5)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text.erase(at, 1 + random.below(8)); break;
      case 2: text.insert(at, kPieces[random.below(kPieces.size())]); break;
      case 3: text.insert(at, text.substr(random.below(text.size()), random.below(40))); break;
      default: text[at] = static_cast<char>(text[at] ^ (1 << random.below(8))); break;
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST(StudySettings, DamagedFilesAreRefusedOrReadBack) {
  StudySettings settings = parse_study("[strategy]\npreset = \"mini\"\nthreshold = -inf\n[train]\nepochs = 3\n");
  settings.evaluate["command"] = "./run \"{expr}\"";
  const std::string good = study_toml(settings, false);
  Random random(11);
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(good, random);
    try {
      StudySettings read = parse_study(text);
      ++taken;
      ASSERT_EQ(study_toml(parse_study(study_toml(read, false)), false), study_toml(read, false)) << text;
      complete_settings(read);
    } catch (const Error& error) {
      ASSERT_TRUE(error.code() == ErrorCode::kBadInput || error.code() == ErrorCode::kUsage) << error.what();
    }
  }
  EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace actforge
