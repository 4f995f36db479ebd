#include "actforge/study/live_page.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

TrialOutcome half(const EvaluationRequest&) { return {.scores = {0.5}}; }

TEST(LivePage, IsMadeAgainWhenTheStudyHasChanged) {
  const TestStudy study(quick_settings("random", 3));
  LivePage page(study.place);
  const std::string before = page.revision(), empty = page.html();
  EXPECT_EQ(page.revision(), before);
  EXPECT_EQ(page.html(), empty);
  EXPECT_NE(empty.find(before), std::string::npos);  // what the browser compares with
  study.run(half);
  EXPECT_NE(page.revision(), before);
  const std::string full = page.html();
  EXPECT_NE(full, empty);
  EXPECT_NE(full.find(study.trial(2).plan.expression), std::string::npos);
  EXPECT_NE(full.find(page.revision()), std::string::npos);
}

// Each of these is something that the page shows.
TEST(LivePage, EveryKindOfChangeIsARevision) {
  const TestStudy study(quick_settings("random", 3));
  LivePage page(study.place);
  std::set<std::string> seen = {page.revision()};
  study.run(half);
  EXPECT_TRUE(seen.insert(page.revision()).second);
  study.store->add_run({.group = "g", .expression = "relu(x)", .key = "k", .outcome = {.scores = {0.5}}});
  EXPECT_TRUE(seen.insert(page.revision()).second);
  study.store->add_event("resumed", "somebody");
  EXPECT_TRUE(seen.insert(page.revision()).second);
}

}  // namespace
}  // namespace actforge
