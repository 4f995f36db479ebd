#include "actforge/torch/fisher/spectrum_probes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
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
  const std::vector<SpectrumFeatures> first = probe->measure(functions).features;
  EXPECT_EQ(measured, 2u);
  ASSERT_EQ(first.size(), 3u);
  EXPECT_FALSE(first[0].empty());
  EXPECT_TRUE(first[1].empty());
  EXPECT_EQ(first[2], first[0]);
  EXPECT_EQ(probe->measure(functions).features, first);
  EXPECT_EQ(measured, 2u);

  // Under the same conditions without a study. The study's seed is its own, whatever the context says.
  const SpectrumConditions conditions = spectrum_conditions(study.settings, kSmall);
  EXPECT_EQ(conditions.spectrum.run.seed, 4u);
  const auto alone = make_network_spectrum_probe(conditions.task.network(), conditions.spectrum);
  const std::vector<SpectrumFeatures> again = alone->measure(functions).features;
  ASSERT_EQ(again[0].size(), first[0].size());
  for (std::size_t i = 0; i < first[0].size(); ++i) EXPECT_NEAR(again[0][i], first[0][i], 1e-3 * (1 + first[0][i]));
  EXPECT_TRUE(again[1].empty());
}

TEST(SpectrumProbes, WhatWasMeasuredBeforeAStopIsKept) {
  const TestStudy study(training_settings());
  const OpenStudy open = open_study(study.place);
  std::size_t measured = 0;
  const RunContext run = {.threads = 1, .stop = [&] { return measured == 2; }};
  const FisherFeatures features(open, kSmall, run);
  const std::vector<Expr> functions = {parse("relu(x)"), parse("tanh(x)"), parse("elu(x)"), parse("swish(x)")};
  const auto measure = [&] {
    features.measure(functions, {.measured = [&](std::size_t done, const StudyFeatures&) { measured = done; }});
  };
  EXPECT_EQ(message_of(measure), "code 130: stopped");
  EXPECT_EQ(study.store->feature_keys(features.group()).size(), 2u);
  EXPECT_EQ(features.missing(functions).size(), 2u);
  EXPECT_TRUE(study.store->workers().empty());
}

FeatureTarget target_of(const FisherFeatures& features, const Expr& function) {
  return {.group = features.group(), .expression = to_call(function), .key = canonical_key(function)};
}

// A worker of the study has begun one of them: it is neither measured twice nor waited for.
TEST(SpectrumProbes, WhatAnotherProcessMeasuresIsLeftOut) {
  const TestStudy study(training_settings());
  const OpenStudy open = open_study(study.place);
  const std::vector<Expr> functions = {parse("relu(x)"), parse("tanh(x)"), parse("elu(x)")};
  const FisherFeatures features(open, kSmall);
  const WorkerName other = {.name = "another machine:1:1", .lease = 60};
  const auto claim = study.store->claim_features(target_of(features, functions[1]), other);
  ASSERT_TRUE(claim);
  std::vector<std::string> elsewhere;
  std::size_t measured = 0;
  features.measure(functions, {.measured = [&](std::size_t done, const StudyFeatures&) { measured = done; },
                               .elsewhere = [&](const Expr& function) { elsewhere.push_back(to_call(function)); }});
  EXPECT_EQ(measured, 2u);
  EXPECT_EQ(elsewhere, std::vector<std::string>{"tanh(x)"});
  EXPECT_TRUE(study.store->beat(*claim, other));
  const auto probe = make_study_spectrum_probe(open, kSmall);
  const MeasuredSpectra spectra = probe->measure(functions);
  EXPECT_EQ(spectra.elsewhere, 1u);
  EXPECT_TRUE(spectra.features[1].empty());
  study.store->release(*claim, other, {});
  EXPECT_EQ(probe->measure(functions).elsewhere, 0u);
  EXPECT_TRUE(study.store->workers().empty());
}

// Whoever had the claim is dead, at the last of three attempts: the function is set aside, not measured again for ever.
TEST(SpectrumProbes, AFunctionThatKilledItsProcessThriceIsSetAside) {
  const TestStudy study(training_settings());
  const OpenStudy open = open_study(study.place);
  const std::vector<Expr> functions = {parse("relu(x)"), parse("tanh(x)")};
  const FisherFeatures features(open, kSmall);
  std::vector<std::string> measured;
  for (int i = 0; i < 3; ++i) {
    const pid_t process = fork();
    if (process == 0) {
      const std::unique_ptr<Store> store = open_store(study.place);
      store->claim_features(target_of(features, functions[0]), {.name = worker_name()});
      _exit(0);
    }
    waitpid(process, nullptr, 0);
    ASSERT_EQ(study.store->workers().size(), 1u);
    if (i < 2) features.measure({&functions[1], 1});  // sees that the other has died
  }
  features.measure(functions,
                   {.measured = [&](std::size_t, const StudyFeatures& row) { measured.push_back(row.expression); }});
  EXPECT_TRUE(measured.empty());
  EXPECT_TRUE(features.missing(functions).empty());
  std::int64_t seen = 0;
  for (const StudyFeatures& row : study.store->features(features.group(), seen)) {
    EXPECT_EQ(row.valid, row.expression == "tanh(x)");
  }
}

// The claim is released, and the attempt counts.
TEST(SpectrumProbes, AFunctionWhoseMeasurementThrowsIsSetAside) {
  const TestStudy study(training_settings());
  const OpenStudy open = open_study(study.place);
  const Expr function = parse("relu(x)");
  int asked = 0;
  RunContext run = {.threads = 1};
  run.stop = [&] {
    if (++asked == 3) throw std::runtime_error("no memory");
    return false;
  };
  const FisherFeatures features(open, kSmall, run);
  for (int i = 0; i < 3; ++i) {
    asked = 0;
    EXPECT_EQ(features.missing({&function, 1}).size(), 1u);
    EXPECT_THROW(features.measure({&function, 1}), std::runtime_error);
    EXPECT_TRUE(study.store->workers().empty());
  }
  std::int64_t seen = 0;
  const std::vector<StudyFeatures> rows = study.store->features(features.group(), seen);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].valid);
  EXPECT_EQ(rows[0].reason, "no memory");
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
