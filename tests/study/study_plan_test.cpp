#include "actforge/study/study_plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "actforge/base/error.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/study/rivals.h"
#include "actforge/study/study.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

class StudyPlanTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("study_plan_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static ErrorCode refused(const StudyRequest& request) {
    try {
      plan_study(request);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kCancelled;
  }

  std::filesystem::path folder_;
};

TEST_F(StudyPlanTest, AStudyOfFlagsAlone) {
  const StudyPlan plan = plan_study({.location = path("new.db"), .change = [](StudySettings& settings) {
                                       settings = quick_settings("random", 7);
                                       settings.baseline = "max(x, 0)";
                                     }});
  EXPECT_EQ(plan.location, path("new.db"));
  EXPECT_EQ(plan.settings.trials, 7u);
  EXPECT_EQ(plan.settings.baseline, "max(x,0)");
  EXPECT_FALSE(std::filesystem::exists(plan.location));  // nothing is made by planning
}

// A version that refused no function has not written so; its study goes on as it began, whatever is usual today.
TEST_F(StudyPlanTest, AnOlderStudyRefusesNothing) {
  const std::unique_ptr<Store> store = create_study(path("old.db"), quick_settings("random", 7));
  std::string toml = store->header().settings;
  const std::size_t line = toml.find("require = ");
  toml.erase(line, toml.find('\n', line) + 1 - line);
  store->keep_settings(toml);
  EXPECT_EQ(open_study(path("old.db")).settings.require, "none");
  std::ofstream(path("same.toml")) << toml;
  EXPECT_EQ(plan_study({.file = path("same.toml"), .location = path("old.db")}).settings.require, "none");
  EXPECT_EQ(plan_study({.file = path("same.toml"), .location = path("new.db")}).settings.require, "not-constant");
}

TEST_F(StudyPlanTest, AStudyThatIsThereKeepsWhatNothingChanges) {
  StudySettings settings = quick_settings("random", 7);
  settings.seed = 31;
  complete_settings(settings);
  create_study(path("old.db"), settings);
  const StudyPlan plan =
      plan_study({.file = path("old.db"), .change = [](StudySettings& changed) { changed.trials = 9; }});
  EXPECT_EQ(plan.settings.seed, 31u);
  EXPECT_EQ(plan.settings.trials, 9u);
  EXPECT_EQ(refused({.file = path("old.db"), .location = path("other.db")}), ErrorCode::kUsage);
}

TEST_F(StudyPlanTest, AStudyFileIsKeptNextToIt) {
  std::ofstream(path("s.toml")) << study_toml(quick_settings("random", 5), false);
  EXPECT_EQ(plan_study({.file = path("s.toml")}).location, path("s.db"));
  EXPECT_EQ(plan_study({.file = path("s.toml"), .location = path("t.db")}).location, path("t.db"));
}

TEST_F(StudyPlanTest, RefusesNoStudyAndMissingOnes) {
  EXPECT_EQ(refused({}), ErrorCode::kUsage);
  EXPECT_EQ(refused({.file = path("missing.db")}), ErrorCode::kBadInput);
}

TEST(Rivals, AreAllCommonFunctionsUnlessOthersAreWanted) {
  StudySettings settings = quick_settings("random", 5);
  settings.baseline = "relu(x)";
  const std::vector<std::string> rivals = rivals_of(settings, {});
  EXPECT_EQ(rivals.size(), 9u);  // ReLU is among the nine, and is there once
  EXPECT_EQ(rivals[0], "relu(x)");
  EXPECT_EQ(rivals_of(settings, {"tanh(x)"}), std::vector<std::string>{"tanh(x)"});
  EXPECT_EQ(baselines_of(settings, {}), std::vector<std::string>{"relu(x)"});
}

TEST(Rivals, NoFunctionIsComparedTwice) {
  const auto functions = with_others({{.expression = "elu(x)", .trial = 3}}, {"swish(x)"}, {"elu(x)", "relu(x)"});
  ASSERT_EQ(functions.size(), 3u);
  EXPECT_EQ(functions[0].trial, 3);
  EXPECT_FALSE(functions[1].is_baseline);
  EXPECT_EQ(functions[2].expression, "relu(x)");
  EXPECT_TRUE(functions[2].is_baseline);
}

}  // namespace
}  // namespace actforge
