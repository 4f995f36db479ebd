#include "actforge/search/maps/candidate_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/unique.h"
#include "tests/search/problems.h"

namespace actforge {
namespace {

Space sums() {
  return Space({.name = "sums",
                .unary = {Op::kRelu, Op::kTanh, Op::kSigmoid},
                .binary = {Op::kAdd},
                .schemas = {"binary(unary(x),unary(x))"}});
}

std::vector<std::string> all_of(CandidatePool& pool) {
  pool.reach(1'000'000);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < pool.size(); ++i) list.push_back(to_call(pool[i].expr));
  return list;
}

TEST(CandidatePool, HasEveryDifferentFunctionOnce) {
  const Space space({.name = "pairs",
                     .unary = tame_unary(),
                     .binary = tame_binary(),
                     .schemas = {"binary(unary(x),unary(x))", "unary(unary(x))"}});
  CandidatePool pool(space, {.run = {.seed = 3}});
  const std::vector<std::string> functions = all_of(pool);
  EXPECT_EQ(functions.size(), find_unique(space, {.fingerprint = kKeyFingerprint}).unique);
  const FunctionKeys keys;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const FunctionKey key = keys(parse(functions[i]));
    EXPECT_TRUE(seen.insert(key.canonical).second);
    EXPECT_TRUE(seen.insert("values " + key.fingerprint).second);
    EXPECT_EQ(pool.find(key), i);
    EXPECT_TRUE(space.admits(pool[i].expr));
  }
}

TEST(CandidatePool, BeginsWithWhatIsGiven) {
  const Space space = sums();
  // The last equals a function of the space, and the second the first.
  CandidatePool pool(space, {.first = {parse("elu(x)"), parse("elu(x)+0*0"), parse("tanh(x)+relu(x)")}});
  const std::vector<std::string> functions = all_of(pool);
  EXPECT_EQ(functions[0], "elu(x)");
  EXPECT_EQ(functions[1], "add(tanh(x),relu(x))");
  EXPECT_EQ(functions.size(), 2u + 5u);
}

TEST(CandidatePool, OrderDoesNotDependOnSteps) {
  for (const Space& space : {sums(), tame_graphs(4), tame_trees()}) {
    CandidatePool at_once(space, {.run = {.seed = 9}}), in_steps(space, {.run = {.seed = 9, .threads = 2}});
    at_once.reach(200);
    for (std::size_t count = 1; count <= 200; count += 7) in_steps.reach(count);
    in_steps.reach(200);
    ASSERT_EQ(at_once.size(), in_steps.size());
    for (std::size_t i = 0; i < at_once.size(); ++i) {
      EXPECT_EQ(to_call(at_once[i].expr), to_call(in_steps[i].expr));
    }
  }
}

TEST(CandidatePool, EveryOrderIsEquallyLikely) {
  const Space space = sums();  // six functions
  std::map<std::string, int> first, last;
  constexpr int kSeeds = 1200;
  for (int seed = 0; seed < kSeeds; ++seed) {
    CandidatePool pool(space, {.run = {.seed = static_cast<std::uint64_t>(seed)}});
    const std::vector<std::string> functions = all_of(pool);
    ++first[functions.front()];
    ++last[functions.back()];
  }
  // 200 each, with a standard deviation of 13.
  for (const auto& counts : {first, last}) {
    ASSERT_EQ(counts.size(), 6u);
    for (const auto& [function, count] : counts) EXPECT_NEAR(count, 200, 60) << function;
  }
}

// One draw of a thousand is admitted: the pool goes on, and does not take that for the end of the space.
TEST(CandidatePool, FindsWhatASpaceHardlyAdmits) {
  SpaceDefinition definition = tame_graphs(7, 3).definition();
  definition.require = read_requirements("not-constant,cost<=12");
  const Space space(definition);
  CandidatePool pool(space, {.run = {.seed = 1}});
  pool.reach(12);
  ASSERT_EQ(pool.size(), 12U);
  EXPECT_FALSE(pool.is_exhausted());
  for (std::size_t i = 0; i < pool.size(); ++i) EXPECT_EQ(space.refusal(pool[i].expr), "");
  const Space few = sums();
  CandidatePool all(few, {.run = {.seed = 1}});
  all.reach(100);
  EXPECT_TRUE(all.is_exhausted());
}

TEST(CandidatePool, TakesSamplesOfALargeSpace) {
  const Space space = tame_graphs(7, 3);  // far too many to tell apart
  CandidatePool pool(space, {.run = {.seed = 1}});
  pool.reach(300);
  ASSERT_EQ(pool.size(), 300u);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    EXPECT_TRUE(seen.insert(pool[i].key.fingerprint).second);
    EXPECT_TRUE(space.admits(pool[i].expr));
  }
}

}  // namespace
}  // namespace actforge
