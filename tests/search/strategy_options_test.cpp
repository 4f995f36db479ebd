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

}  // namespace
}  // namespace actforge
