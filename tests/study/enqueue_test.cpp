#include "actforge/study/enqueue.h"

#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"
#include "tests/search/study_helpers.h"

namespace actforge {
namespace {

std::vector<EnqueuedFunction> enqueue(const TestStudy& study, const std::vector<std::string>& texts) {
  std::vector<Expr> functions;
  for (const std::string& text : texts) functions.push_back(parse(text));
  return enqueue_functions(*study.store, study.settings, functions);
}

TrialOutcome half(const EvaluationRequest&) { return {.scores = {0.5}}; }

TEST(Enqueue, TheFunctionsAreNextInTheirOrder) {
  for (const char* strategy : {"exhaustive", "random", "pangaea", "cafe", "mutation"}) {
    const TestStudy study(quick_settings(strategy, 6));
    enqueue(study, {"add(relu(x),tanh(x))", "sinh(x)"});
    study.run(half);
    EXPECT_EQ(study.trial(0).plan.expression, "add(relu(x),tanh(x))") << strategy;
    EXPECT_EQ(study.trial(1).plan.expression, "sinh(x)") << strategy;
    EXPECT_EQ(study.trial(0).plan.origin, "enqueued");
    EXPECT_EQ(study.trial(0).plan.seed, first_seed(study.settings, 0));
    EXPECT_EQ(study.store->counts().trials, 6) << strategy;
  }
}

TEST(Enqueue, ABudgetThatIsUsedUpDoesNotKeepThemBack) {
  const TestStudy study(quick_settings("random", 3));
  study.run(half);
  enqueue(study, {"swish(swish(x))"});
  study.run(half);
  EXPECT_EQ(study.store->counts().completed, 4);
  EXPECT_EQ(study.trial(3).plan.expression, "swish(swish(x))");
}

TEST(Enqueue, EqualFunctionsAreNotTriedAgain) {
  const TestStudy study(quick_settings("random", 3));
  const auto first = enqueue(study, {"max(x, 0)", "relu(x)", "x*sigmoid(x)"});
  EXPECT_TRUE(first[0].result.is_new);
  EXPECT_FALSE(first[1].result.is_new);
  EXPECT_EQ(first[1].result.number, 0);
  EXPECT_TRUE(first[2].result.is_new);
  study.run(half);
  const auto again = enqueue(study, {"swish(x)"});
  EXPECT_FALSE(again[0].result.is_new);
  EXPECT_EQ(again[0].result.number, 1);
  EXPECT_EQ(study.store->counts().trials, 3);
}

TEST(Enqueue, FunctionsThatDifferFarAwayAreTwo) {
  const TestStudy study(quick_settings("random", 3));
  const auto results = enqueue(study, {"relu(x)", "relu6(x)"});
  EXPECT_TRUE(results[0].result.is_new);
  EXPECT_TRUE(results[1].result.is_new);
}

TEST(Enqueue, SaysWhatIsNotInTheSpace) {
  const TestStudy study(quick_settings("random", 3));
  const auto results = enqueue(study, {"add(relu(x),tanh(x))", "add(relu(tanh(x)),tanh(x))"});
  EXPECT_TRUE(results[0].in_space);
  EXPECT_FALSE(results[1].in_space);
}

}  // namespace
}  // namespace actforge
