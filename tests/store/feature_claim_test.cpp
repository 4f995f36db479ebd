// Who measures the features of which function, and what becomes of it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/store/store_helpers.h"

namespace actforge {
namespace {

constexpr const char* kGroup = "fisher";

FeatureTarget target(const std::string& key) { return {.group = kGroup, .expression = "f(" + key + ")", .key = key}; }

StudyFeatures measured(const std::string& key) {
  return {.group = kGroup, .expression = "f(" + key + ")", .key = key, .values = {1, 2}};
}

std::vector<StudyFeatures> all_features(Store& store) {
  std::int64_t seen = 0;
  return store.features(kGroup, seen);
}

TEST_P(StoreTest, FeaturesAreMeasuredByOneWorker) {
  const auto claim = store->claim_features(target("a"), worker_of("w"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->target.key, "a");
  EXPECT_EQ(claim->attempt, 1);
  const std::unique_ptr<Store> other = at.open();
  EXPECT_FALSE(other->claim_features(target("a"), worker_of("o")));
  EXPECT_FALSE(store->claim_features(target("a"), worker_of("w")));
  EXPECT_TRUE(other->claim_features(target("b"), worker_of("o")));
  FeatureTarget elsewhere = target("a");
  elsewhere.group = "other conditions";
  EXPECT_TRUE(other->claim_features(elsewhere, worker_of("o")));
  EXPECT_EQ(store->workers(), (std::vector<std::string>{"o", "w"}));
  EXPECT_TRUE(store->add_features(measured("a")));
  EXPECT_EQ(store->workers(), std::vector<std::string>{"o"});
  EXPECT_FALSE(store->beat(*claim, worker_of("w")));
  EXPECT_FALSE(other->claim_features(target("a"), worker_of("o")));  // they are there
}

TEST_P(StoreTest, ALeaseOfFeaturesEndsToo) {
  const auto lost = store->claim_features(target("a"), worker_of("w"));
  ASSERT_TRUE(lost);
  at.time += 59;
  EXPECT_TRUE(store->beat(*lost, worker_of("w")));
  EXPECT_FALSE(store->beat(*lost, worker_of("o")));
  at.time += 59;
  EXPECT_FALSE(store->claim_features(target("a"), worker_of("o")));
  at.time += 2;
  const auto claim = store->claim_features(target("a"), worker_of("o"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->attempt, 2);
  EXPECT_FALSE(store->beat(*lost, worker_of("w")));
  store->release(*lost, worker_of("w"), "too late");
  EXPECT_TRUE(store->beat(*claim, worker_of("o")));
  // A late result is as good as any.
  EXPECT_TRUE(store->add_features(measured("a")));
  EXPECT_FALSE(store->add_features(measured("a")));
}

TEST_P(StoreTest, ThreeLostMeasurementsAreEnough) {
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const auto clean = store->claim_features(target("a"), worker_of("w"));
    ASSERT_TRUE(clean);
    store->release(*clean, worker_of("w"), "");  // counts for nothing
    const auto claim = store->claim_features(target("a"), worker_of("w"));
    ASSERT_TRUE(claim);
    EXPECT_EQ(claim->attempt, attempt);
    EXPECT_TRUE(all_features(*store).empty());
    attempt == 2 ? store->release(*claim, worker_of("w"), "broke") : static_cast<void>(store->release_dead("w"));
  }
  EXPECT_FALSE(store->claim_features(target("a"), worker_of("w")));
  EXPECT_TRUE(store->workers().empty());
  const std::vector<StudyFeatures> list = all_features(*store);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_FALSE(list[0].valid);
  EXPECT_EQ(list[0].key, "a");
  EXPECT_EQ(list[0].expression, "f(a)");
  EXPECT_EQ(list[0].reason, "its worker died");
}

TEST_P(StoreTest, WhatWasSetAsideCanBeMeasuredAgain) {
  at.options.attempts = 1;
  store = at.open();
  store->claim_features(target("a"), worker_of("w"));
  EXPECT_EQ(store->release_dead("w"), 1);
  store->add_features(measured("b"));
  std::int64_t seen = 0;
  EXPECT_EQ(store->features(kGroup, seen).size(), 2u);
  EXPECT_EQ(store->retry_quarantined(), 1);
  EXPECT_EQ(store->retry_quarantined(), 0);
  EXPECT_EQ(store->feature_keys(kGroup), std::vector<std::string>{"b"});
  const auto claim = store->claim_features(target("a"), worker_of("w"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->attempt, 1);
  EXPECT_TRUE(store->add_features(measured("a")));
  // Those who have read everything before are told.
  const std::vector<StudyFeatures> news = store->features(kGroup, seen);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(news[0].valid);
  EXPECT_EQ(store->feature_keys(kGroup), (std::vector<std::string>{"b", "a"}));
}

TEST_P(StoreTest, AMeasurementThatKillsItsProcessIsSetAside) {
  store.reset();
  for (int i = 0; i < 3; ++i) {
    const std::string name = "worker" + std::to_string(i);
    const pid_t process = fork();
    if (process == 0) {
      if (!at.open()->claim_features(target("deadly"), worker_of(name))) _exit(1);
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(process, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(at.open()->release_dead(name), 1);
  }
  store = at.open();
  EXPECT_FALSE(store->claim_features(target("deadly"), worker_of("w")));
  EXPECT_TRUE(store->claim_features(target("harmless"), worker_of("w")));
}

TEST_P(StoreTest, ClaimsOfFeaturesThatCannotBeAreRefused) {
  EXPECT_THROW(store->claim_features({.group = "", .key = "a"}, worker_of("w")), Error);
  EXPECT_THROW(store->claim_features({.group = kGroup, .key = ""}, worker_of("w")), Error);
  EXPECT_THROW(store->claim_features(target("a"), worker_of("")), Error);
  EXPECT_TRUE(store->workers().empty());
}

TEST_P(StoreTest, AGroupCanHaveAnotherName) {
  store->add_features(measured("a"));
  store->add_run({.group = kGroup, .expression = "x", .key = "k", .outcome = scored(1)});
  store->add_run({.group = "other", .expression = "x", .key = "k", .outcome = scored(2)});
  store->rename_group(kGroup, "new");
  EXPECT_EQ(store->feature_groups(), std::vector<std::string>{"new"});
  EXPECT_EQ(store->feature_keys("new"), std::vector<std::string>{"a"});
  EXPECT_EQ(store->run_groups(), (std::vector<std::string>{"new", "other"}));
  EXPECT_EQ(store->runs("new").size(), 1u);
}

}  // namespace
}  // namespace actforge
