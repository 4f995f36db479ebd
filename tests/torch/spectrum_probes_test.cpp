#include "actforge/torch/fisher/spectrum_probes.h"

#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"
#include "actforge/recipe/training_data.h"
#include "actforge/torch/fisher/fisher_features.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

const FisherOptions kSmall = {.batch = 16};

StudySettings training_settings() {
  StudySettings settings;
  settings.strategy = "random";
  settings.net = "allcnn-mini";
  settings.data = "digits";
  settings.seed = 4;
  settings.trials = 2;
  complete_settings(settings);
  return settings;
}

TEST(SpectrumProbes, AStudyKeepsWhatIsMeasured) {
  const TestStudy study(training_settings());
  const OpenStudy open = open_study(study.place);
  std::size_t measured = 0;
  RunContext run = {.threads = 2, .progress = [&](std::string_view step, std::size_t, std::size_t total) {
                      EXPECT_EQ(step, "spectra");
                      EXPECT_EQ(total, 2u);
                      ++measured;
                    }};
  const auto probe = make_study_spectrum_probe(open, kSmall, run);
  // The first and the last are equal; zero(x) has no spectrum that is valid.
  const std::vector<Expr> functions = {parse("relu(x)"), parse("zero(x)"), parse("max(x,0)")};
  const std::vector<SpectrumFeatures> first = probe->measure(functions);
  EXPECT_EQ(measured, 2u);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_FALSE(first[0].empty());
  EXPECT_TRUE(first[1].empty());
  EXPECT_EQ(first[2], first[0]);
  EXPECT_EQ(probe->measure(functions), first);
  EXPECT_EQ(measured, 2u);

  // Under the same conditions without a study. The study's seed is its own, whatever the context says.
  const SpectrumConditions conditions = spectrum_conditions(study.settings, kSmall);
  EXPECT_EQ(conditions.spectrum.run.seed, 4u);
  const auto alone = make_network_spectrum_probe(conditions.task.network(), conditions.spectrum);
  const std::vector<SpectrumFeatures> again = alone->measure(functions);
  ASSERT_EQ(again[0].size(), first[0].size());
  for (std::size_t i = 0; i < first[0].size(); ++i) EXPECT_NEAR(again[0][i], first[0][i], 1e-3 * (1 + first[0][i]));
  EXPECT_TRUE(again[1].empty());
}

TEST(SpectrumProbes, WhatWasMeasuredBeforeAStopIsKept) {
  const TestStudy study(training_settings());
  std::size_t measured = 0;
  const RunContext run = {.threads = 1, .stop = [&] { return measured == 2; }};
  const FisherFeatures features(study.settings, kSmall, run);
  const std::vector<Expr> functions = {parse("relu(x)"), parse("tanh(x)"), parse("elu(x)"), parse("swish(x)")};
  const auto measure = [&] {
    features.measure(*study.store, functions, [&](std::size_t done, const StudyFeatures&) { measured = done; });
  };
  EXPECT_EQ(message_of(measure), "code 130: stopped");
  EXPECT_EQ(study.store->feature_keys(features.group()).size(), 2u);
  EXPECT_EQ(features.missing(*study.store, functions).size(), 2u);
}

// The stop comes while one function is measured. Nothing is known of the function then.
TEST(SpectrumProbes, AStoppedWorkerStoresNothing) {
  const TestStudy study(training_settings());
  int asked = 0;
  const auto probe = make_spectrum_probe(study.settings, {.stop = [&] { return ++asked == 3; }});
  EXPECT_EQ(message_of([&] { probe->measure(*study.store, parse("relu(x)")); }), "code 130: stopped");
  EXPECT_EQ(asked, 3);
  EXPECT_TRUE(study.store->feature_groups().empty());
  probe->measure(*study.store, parse("relu(x)"));
  ASSERT_EQ(study.store->feature_groups().size(), 1u);
  std::int64_t seen = 0;
  const std::vector<StudyFeatures> rows = study.store->features(study.store->feature_groups()[0], seen);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0].valid) << rows[0].reason;
}

}  // namespace
}  // namespace actforge
