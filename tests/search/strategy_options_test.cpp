#include "actforge/search/strategy_options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "actforge/base/error.h"
#include "actforge/search/strategy.h"

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
  for (const StrategyField& field : strategy_fields()) {
    if (field.name == "threshold") set_field(options, field, "-inf");
  }
  EXPECT_EQ(options.threshold, -INFINITY);
}

TEST(StrategyOptions, DefaultsAreTheDissertations) {
  const StrategyOptions& o = find_strategy_preset("paper").options;
  EXPECT_EQ(o.cafe_population, 50u);
  EXPECT_EQ(o.generations, 10u);
  EXPECT_EQ(o.elites, 5u);
  EXPECT_EQ(o.newcomers, 10u);
  EXPECT_EQ(o.population, 64u);
  EXPECT_EQ(o.sample, 16u);
  EXPECT_EQ(o.trials, 1000u);
  EXPECT_EQ(o.threshold, 0.2);
  EXPECT_EQ(o.evaluations, 108u);
  EXPECT_EQ(o.start, "elu(x), relu(x), selu(x), sigmoid(x), softplus(x), softsign(x), swish(x), tanh(x)");
  EXPECT_EQ(o.inputs, 1000u);
  EXPECT_EQ(o.pool, 5000u);
  EXPECT_EQ(o.output_neighbours, 15u);
  EXPECT_EQ(o.spectrum_neighbours, 3u);
  EXPECT_EQ(o.min_dist, 0.1);
  EXPECT_EQ(o.dimensions, 2u);
  EXPECT_EQ(o.regressor, "knn");
}

TEST(StrategyOptions, PresetsMakeSense) {
  for (const StrategyPreset& preset : strategy_presets()) {
    EXPECT_NO_THROW(check_options(preset.options)) << preset.name;
    for (const StrategyField& field : strategy_fields()) {
      StrategyOptions copy = preset.options;
      EXPECT_NO_THROW(set_field(copy, field, field_text(copy, field))) << preset.name << " " << field.name;
    }
  }
  EXPECT_THROW(check_options({.cafe_population = 10, .elites = 6, .newcomers = 5}), Error);
  EXPECT_NO_THROW(check_options({.cafe_population = 10, .elites = 5, .newcomers = 5}));
}

TEST(StrategyOptions, MisspeltNamesGetAnAnswer) {
  try {
    find_strategy_preset("minni");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown preset 'minni'; did you mean 'mini'?");
  }
  try {
    find_strategy("pangea");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown strategy 'pangea'; did you mean 'pangaea'?");
  }
}

TEST(StrategyOptions, BudgetsAreForStrategiesThatDoNotEnd) {
  const StrategyOptions options = {.trials = 77};
  EXPECT_EQ(default_trials(find_strategy("random"), options), 77);
  EXPECT_EQ(default_trials(find_strategy("mutation"), options), 77);
  EXPECT_EQ(default_trials(find_strategy("cafe"), options), 50 + 9 * 45);  // at most
  EXPECT_GT(default_trials(find_strategy("exhaustive"), options), std::int64_t{1} << 60);
}

}  // namespace
}  // namespace actforge
