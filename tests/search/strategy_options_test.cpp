#include "actforge/search/strategies/strategy_options.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/search/strategies/strategy.h"

namespace actforge {
namespace {

TEST(StrategyOptions, FieldsReadWhatTheyPrint) {
  StrategyOptions options;
  std::set<std::string_view> names;
  for (const StrategyField& field : strategy_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    const std::string text = field_text(options, field);
    set_field(options, field, text);
    EXPECT_EQ(field_text(options, field), text) << field.name;
    if (field.name == "start") continue;  // looked at by check_options()
    EXPECT_THROW(set_field(options, field, "wrong"), Error) << field.name;
  }
  set_field(options, find_named(strategy_fields(), "threshold", "field"), "-inf");
  EXPECT_EQ(options.at("threshold"), "-inf");
  // Equal values have equal texts, however they were written.
  set_field(options, find_named(strategy_fields(), "threshold", "field"), "2.50e-1");
  EXPECT_EQ(options.at("threshold"), "0.25");
}

TEST(StrategyOptions, DefaultsAreTheDissertations) {
  const StrategyPreset& paper = find_strategy_preset("paper");
  const std::pair<const char*, const char*> defaults[] = {
      {"cafe-population", "50"},
      {"generations", "10"},
      {"elites", "5"},
      {"newcomers", "10"},
      {"population", "64"},
      {"sample", "16"},
      {"threshold", "0.2"},
      {"evaluations", "108"},
      {"start", "elu(x), relu(x), selu(x), sigmoid(x), softplus(x), softsign(x), swish(x), tanh(x)"},
      {"inputs", "1000"},
      {"pool", "5000"},
      {"output-neighbours", "15"},
      {"spectrum-neighbours", "3"},
      {"min-dist", "0.1"},
      {"dimensions", "2"},
      {"regressor", "knn"},
  };
  for (const auto& [name, value] : defaults) {
    EXPECT_EQ(field_text(paper.options, find_named(strategy_fields(), name, "field")), value) << name;
  }
  EXPECT_EQ(paper.trials, 1000u);
}

TEST(StrategyOptions, PresetsMakeSense) {
  for (const StrategyPreset& preset : strategy_presets()) {
    EXPECT_NO_THROW(check_options(preset.options)) << preset.name;
    for (const StrategyField& field : strategy_fields()) {
      StrategyOptions copy = preset.options;
      const std::string text = field_text(copy, field);
      EXPECT_NO_THROW(set_field(copy, field, text)) << preset.name << " " << field.name;
      EXPECT_EQ(field_text(copy, field), text) << preset.name << " " << field.name;
    }
  }
  EXPECT_THROW(check_options({{"cafe-population", "10"}, {"elites", "6"}, {"newcomers", "5"}}), Error);
  EXPECT_NO_THROW(check_options({{"cafe-population", "10"}, {"elites", "5"}, {"newcomers", "5"}}));
}

// In a study file and on a command line a name stands once, whatever the strategy.
TEST(StrategyOptions, SharedNamesMeanTheSame) {
  for (const StrategyRow& row : strategies()) {
    for (const StrategyField& field : row.fields) {
      const StrategyField& first = find_named(strategy_fields(), field.name, "field");
      EXPECT_EQ(field.help, first.help) << row.name << " " << field.name;
      EXPECT_EQ(std::tie(field.usual, field.mini), std::tie(first.usual, first.mini)) << row.name << " " << field.name;
      EXPECT_EQ(std::tie(field.kind, field.least, field.most, field.words),
                std::tie(first.kind, first.least, first.most, first.words));
    }
  }
}

std::string message_of_name(const auto& find) {
  try {
    find();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(StrategyOptions, MisspeltNamesGetAnAnswer) {
  EXPECT_TRUE(message_of_name([] {
                find_strategy_preset("minni");
              }).starts_with("unknown preset 'minni'; did you mean 'mini'?"));
  EXPECT_TRUE(message_of_name([] {
                find_strategy("pangea");
              }).starts_with("unknown strategy 'pangea'; did you mean 'pangaea'?"));
}

TEST(StrategyOptions, BudgetsComeWithTheStrategyOrThePreset) {
  const StrategyPreset &paper = find_strategy_preset("paper"), &mini = find_strategy_preset("mini");
  const auto budget = [](std::string_view strategy, const StrategyPreset& preset) {
    return default_trials(find_strategy(strategy), preset.options, preset);
  };
  EXPECT_EQ(budget("random", paper), 1000u);
  EXPECT_EQ(budget("mutation", mini), 60u);
  EXPECT_EQ(budget("pangaea", mini), 60u);
  EXPECT_EQ(budget("cafe", paper), 50u + 9 * 45);  // at most
  EXPECT_EQ(budget("cafe", mini), 12u + 3 * 10);
  EXPECT_EQ(budget("aquasurf", paper), 108u);
  EXPECT_EQ(budget("aquasurf", mini), 50u);
  EXPECT_GT(budget("exhaustive", paper), std::uint64_t{1} << 60);
}

// What a strategy decides where nobody has chosen anything.
StrategyOptions completed(std::string_view strategy, StudyTraits study, StrategyOptions options = {},
                          std::string_view preset = "standard") {
  study.numbers = find_strategy_preset(preset).numbers;
  find_strategy(strategy).complete(options, study);
  const StrategyOptions once = options;
  find_strategy(strategy).complete(options, study);
  EXPECT_EQ(options, once);
  return options;
}

TEST(StrategyOptions, ThePopulationFollowsFromTheBudget) {
  const auto population = [](std::uint64_t functions, std::string_view preset) {
    const StrategyOptions options = completed("pangaea", {.functions = functions}, {}, preset);
    return options.at("population") + "/" + options.at("sample");
  };
  EXPECT_EQ(population(0, "standard"), "64/16");  // no limit
  EXPECT_EQ(population(750, "standard"), "64/16");
  EXPECT_EQ(population(100, "standard"), "17/4");
  EXPECT_EQ(population(45, "standard"), "8/4");
  EXPECT_EQ(population(11, "standard"), "4/2");
  EXPECT_EQ(population(0, "mini"), "8/4");
  EXPECT_EQ(population(45, "mini"), "8/4");
  EXPECT_EQ(population(11, "mini"), "4/2");
  EXPECT_EQ(completed("pangaea", {.functions = 11}, {{"population", "64"}}).at("population"), "64");
  EXPECT_EQ(completed("pangaea", {.functions = 11}, {{"sample", "3"}}).at("sample"), "3");
}

TEST(StrategyOptions, AGenerationFollowsFromTheBudget) {
  const auto parts = [](std::uint64_t functions, const StrategyOptions& given = {}) {
    const StrategyOptions options = completed("cafe", {.functions = functions}, given);
    return options.at("cafe-population") + "/" + options.at("elites") + "/" + options.at("newcomers");
  };
  EXPECT_EQ(parts(0), "50/5/10");
  EXPECT_EQ(parts(455), "50/5/10");
  EXPECT_EQ(parts(60), "20/2/4");
  EXPECT_EQ(parts(10), "4/1/1");
  EXPECT_EQ(parts(10, {{"cafe-population", "50"}}), "50/5/10");
  EXPECT_EQ(parts(0, {{"cafe-population", "12"}, {"newcomers", "4"}}), "12/1/4");
}

TEST(StrategyOptions, TheThresholdFollowsFromTheMeasure) {
  EXPECT_EQ(completed("pangaea", {.by_fraction = true}).at("threshold"), "0.2");
  EXPECT_EQ(completed("pangaea", {}).at("threshold"), "-inf");  // losses, rewards, percent
  EXPECT_EQ(completed("pangaea", {}, {{"threshold", "0.2"}}).at("threshold"), "0.2");
}

TEST(StrategyOptions, ItIsSaidWhereNothingCanEvolve) {
  const auto caution = [](std::string_view strategy, const StudyOutlook& outlook, const StrategyOptions& options = {}) {
    return find_strategy(strategy).caution(options, outlook);
  };
  EXPECT_EQ(caution("pangaea", {.functions = 14}),
            "The first 64 functions (--population) are drawn at random, and there will be about 14: this is random "
            "search. A smaller population or more trials let it evolve.");
  EXPECT_EQ(caution("pangaea", {.functions = 65}), "");
  EXPECT_EQ(caution("pangaea", {}), "");
  EXPECT_EQ(caution("pangaea", {.functions = 14}, {{"population", "4"}}), "");
  EXPECT_TRUE(caution("pangaea", {.never_positive = true}).starts_with("A loss is a negative score"));
  EXPECT_EQ(caution("pangaea", {.never_positive = true}, {{"threshold", "-inf"}}), "");
  EXPECT_NE(caution("cafe", {.functions = 50}).find("random search"), std::string::npos);
  EXPECT_NE(caution("cafe", {}, {{"generations", "1"}}).find("random search"), std::string::npos);
  EXPECT_EQ(caution("cafe", {.functions = 51}), "");
  EXPECT_EQ(caution("cafe", {.functions = 50, .first = 20}), "");  // the first generation is there
  EXPECT_NE(caution("aquasurf", {.functions = 8}).find("no function is predicted"), std::string::npos);
  EXPECT_EQ(caution("aquasurf", {.functions = 9}), "");
  EXPECT_NE(caution("random", {.functions = 5}).find("too few to evolve"), std::string::npos);
  EXPECT_EQ(caution("random", {.functions = 8}), "");
  EXPECT_EQ(automatic_strategy(0), "pangaea");
  EXPECT_EQ(automatic_strategy(7), "random");
  EXPECT_EQ(automatic_strategy(8), "pangaea");
}

TEST(StrategyOptions, ItIsSaidWhereNothingHasEvolved) {
  TrialLog log;
  const auto add = [&](double score) {
    const auto number = static_cast<std::int64_t>(log.trials().size());
    log.add({.number = number,
             .plan = {.expression = "relu(x)", .key = "k" + std::to_string(number)},
             .outcome = {.scores = {score}},
             .finish_order = number});
  };
  const auto caution = [&](const char* threshold) {
    return find_strategy("pangaea").caution({{"population", "3"}, {"threshold", threshold}},
                                            {.strategy = "pangaea", .functions = 100, .log = &log});
  };
  EXPECT_EQ(caution("0.2"), "");
  add(-86);
  EXPECT_EQ(caution("-inf"),
            "Evolution has not begun: the first 3 functions are drawn at random, and there are 1 so far.");
  EXPECT_EQ(
      caution("0.2"),
      "No function has reached the threshold of 0.2 (--threshold); the best score is -86. So none has children, "
      "and this is random search. 'actforge search run STUDY --strategy pangaea --threshold -inf' lets all pass.");
  for (int i = 0; i < 5; ++i) add(-90);
  EXPECT_EQ(caution("-inf"), "");
  EXPECT_NE(caution("0.2"), "");
  add(0.3);
  EXPECT_EQ(caution("0.2"), "");
}

}  // namespace
}  // namespace actforge
