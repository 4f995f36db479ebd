#include "actforge/space/unique.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/function_source.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Fingerprint, InputsAreNormalAndTruncated) {
  const std::vector<float> x = fingerprint_inputs({.inputs = 200'000});
  double sum = 0, squares = 0;
  for (const float value : x) {
    ASSERT_LE(std::fabs(value), 5);
    sum += value;
    squares += double{value} * value;
  }
  EXPECT_NEAR(sum / 200'000, 0, 0.012);  // five standard errors
  EXPECT_NEAR(squares / 200'000, 1, 0.016);
  EXPECT_EQ(std::set<float>(x.begin(), x.begin() + 1000).size(), 1000u);
  EXPECT_NE(fingerprint_inputs({.seed = 1}), fingerprint_inputs({.seed = 2}));
  EXPECT_EQ(fingerprint_inputs({.seed = 1}), fingerprint_inputs({.seed = 1}));
}

TEST(Fingerprint, ZerosAreEqualAndNanEqualsNan) {
  using Values = std::vector<float>;
  EXPECT_EQ(hash_outputs(Values{0.0f, 1}), hash_outputs(Values{-0.0f, 1}));
  EXPECT_EQ(hash_outputs(Values{kNan}), hash_outputs(Values{-kNan}));
  EXPECT_EQ(hash_outputs(Values{kNan}), hash_outputs(Values{std::nanf("7")}));
  EXPECT_NE(hash_outputs(Values{kNan}), hash_outputs(Values{kInf}));
  EXPECT_NE(hash_outputs(Values{-kInf}), hash_outputs(Values{kInf}));
  EXPECT_NE(hash_outputs(Values{1, 2}), hash_outputs(Values{2, 1}));
  EXPECT_NE(hash_outputs(Values{1}), hash_outputs(Values{1, 0}));
  EXPECT_NE(hash_outputs(Values{1}), hash_outputs(Values{std::nextafter(1.0f, 2.0f)}));
  EXPECT_NE(hash_outputs(Values{1}), hash_outputs(Values{-1}));
}

TEST(Fingerprint, TellsFunctionsApartByTheirValues) {
  const Fingerprinter fingerprint;
  const auto of = [&](const char* text) { return fingerprint(parse(text)); };
  EXPECT_EQ(of("max(x,0)"), of("relu(x)"));
  EXPECT_EQ(of("max(x,zero(x))"), of("max(one(x)-1,x)"));
  EXPECT_EQ(of("x*sigmoid(x)-swish(x)"), of("x*sigmoid(x)-swish(x)"));
  EXPECT_NE(of("relu(x)"), of("elu(x)"));
  EXPECT_NE(of("relu(x)"), of("relu(x)*1.0000002"));
  // At alpha = 1 these are the same; they are not the same function.
  EXPECT_NE(of("alpha(relu(x))"), of("relu(alpha(x))"));
  EXPECT_NE(of("alpha(x)"), of("x"));
  EXPECT_EQ(of("alpha(relu(x))"), of("alpha(max(x,0))"));
  EXPECT_EQ(of("tanh(-alpha(x))"), of("-tanh(alpha(x))"));
  // Every input has a value of its own: these agree where alpha is the same for all.
  EXPECT_NE(of("alpha(x)+beta(abs(x))"), of("alpha(x)+alpha(abs(x))"));
  EXPECT_NE(of("alpha(one(x))"), of("one(x)"));
}

// What parameters are called does not matter.
TEST(Fingerprint, ParametersMayChangePlaces) {
  const Fingerprinter fingerprint;
  const auto of = [&](const char* text) { return fingerprint(parse(text)); };
  EXPECT_EQ(of("add(alpha(relu(x)),beta(tanh(x)))"), of("add(alpha(tanh(x)),beta(relu(x)))"));
  EXPECT_EQ(of("alpha(relu(beta(tanh(gamma(x)))))"), of("gamma(relu(alpha(tanh(beta(x)))))"));
  EXPECT_NE(of("add(alpha(relu(x)),beta(tanh(x)))"), of("add(alpha(relu(x)),tanh(beta(x)))"));
  // These are different parameters, not different names.
  EXPECT_NE(of("add(alpha[0.5](relu(x)),beta(tanh(x)))"), of("add(alpha[0.5](tanh(x)),beta(relu(x)))"));
}

// The rule as it is written: outputs of all functions, compared pair by pair.
std::vector<std::uint32_t> classes_by_definition(const Space& space, std::size_t count) {
  const std::vector<float> x = fingerprint_inputs({});
  std::vector<std::vector<float>> outputs;
  std::vector<std::uint32_t> class_of, first;
  for (std::uint32_t i = 0; i < count; ++i) {
    outputs.emplace_back(x.size());
    Kernel(space.at(i), portable_table().name).forward({.x = x, .y = outputs.back()});
    const auto same = [&](std::uint32_t j) {
      for (std::size_t k = 0; k < x.size(); ++k) {
        const float a = outputs[i][k], b = outputs[j][k];
        if (!(a == b || (std::isnan(a) && std::isnan(b)))) return false;
      }
      return true;
    };
    std::uint32_t found = 0;
    while (found < first.size() && !same(first[found])) ++found;
    if (found == first.size()) first.push_back(i);
    class_of.push_back(found);
  }
  return class_of;
}

TEST(Unique, FollowsTheDefinition) {
  for (const char* name : {"aquasurf-3", "cafe-s1"}) {
    const Space space = builtin(name);
    const auto count = static_cast<std::size_t>(space.total());
    EXPECT_EQ(find_unique(space).class_of, classes_by_definition(space, count)) << name;
  }
  // Named functions, constants, lists of one, and a shape inside a shape.
  const Space mixed(SpaceDefinition{.name = "mixed",
                                    .unary = {Op::kGelu, Op::kMish, Op::kNegative, Op::kReciprocal, Op::kRelu},
                                    .binary = {Op::kAdd, Op::kDiv, Op::kPow, Op::kMax},
                                    .schemas = {"binary(unary(x),0)", "nary(unary(x),1,unary(unary(x)))", "unary(x)",
                                                "unary(unary(x))", "x", "sub(unary(x),unary(x))"}});
  EXPECT_EQ(find_unique(mixed).class_of, classes_by_definition(mixed, static_cast<std::size_t>(mixed.total())));
}

TEST(Unique, FollowsTheDefinitionWithParameters) {
  const Space space(SpaceDefinition{.name = "p",
                                    .unary = {Op::kRelu, Op::kNegative, Op::kAbs, Op::kIdentity},
                                    .schemas = {"unary(unary(x))", "prelu(unary(x))"},
                                    .parameters = 2});
  const UniqueFunctions result = find_unique(space);
  const Fingerprinter fingerprint;
  std::map<Hash128, std::uint32_t> known;
  for (std::uint32_t i = 0; i < space.total(); ++i) {
    const auto [place, is_new] = known.try_emplace(fingerprint(space.at(i)), known.size());
    EXPECT_EQ(result.class_of[i], place->second) << to_call(space.at(i));
  }
  EXPECT_EQ(result.unique, known.size());
  EXPECT_LT(result.unique, result.total);
}

// Functions enough for several chunks, the classes made one by one.
TEST(Unique, FollowsTheDefinitionOverManyFunctions) {
  const Space space(SpaceDefinition{.name = "chains", .schemas = {"unary(unary(unary(x)))"}});
  const UniqueFunctions result = find_unique(space, {.run = {.threads = 3}});
  const Fingerprinter fingerprint;
  std::map<Hash128, std::uint32_t> known;
  for (std::uint32_t i = 0; i < space.total(); ++i) {
    const auto [place, is_new] = known.try_emplace(fingerprint(space.at(i)), known.size());
    ASSERT_EQ(result.class_of[i], place->second) << to_call(space.at(i));
  }
  EXPECT_EQ(result.unique, known.size());
}

// The fast way, which shares subexpressions, gives the canonical form and the fingerprint of the plain one.
TEST(Unique, SharedEvaluationEqualsPlainEvaluation) {
  for (const char* name : {"aquasurf-4", "cafe-s2"}) {
    const Space space = builtin(name);
    const auto sources = shared_sources(space, {.threads = 2});
    const auto shared = sources->make();
    const auto plain = plain_sources(space, {})->make();
    for (std::uint64_t i = 0; i < 3000; ++i) {
      Random random(1, i, name);
      const Integer index = random_below(random, space.total());
      ASSERT_EQ(shared->canonical_hash(index), plain->canonical_hash(index)) << to_call(space.at(index));
      ASSERT_EQ(shared->fingerprint(), plain->fingerprint()) << to_call(space.at(index));
      if (i % 100 == 0) shared->forget();
    }
  }
}

// Every function of spaces in which the sign of zero matters here and not there.
TEST(Unique, SharedEvaluationKnowsTheSignOfZero) {
  const Space space(
      SpaceDefinition{.name = "zeros",
                      .unary = {Op::kZero, Op::kIdentity, Op::kNegative, Op::kReciprocal, Op::kRelu},
                      .binary = {Op::kAdd, Op::kSub, Op::kPow, Op::kDiv},
                      .schemas = {"unary(binary(unary(x),unary(x)))", "binary(unary(unary(x)),unary(x))"}});
  const auto sources = shared_sources(space, {});
  const auto shared = sources->make();
  const auto plain = plain_sources(space, {})->make();
  for (Integer i = 0; i < space.total(); ++i) {
    ASSERT_EQ(shared->canonical_hash(i), plain->canonical_hash(i)) << to_call(space.at(i));
    ASSERT_EQ(shared->fingerprint(), plain->fingerprint()) << to_call(space.at(i));
  }
}

// The first sieve: one evaluation for every canonical form.
TEST(Unique, EvaluatesEveryCanonicalFormOnce) {
  const Space space = builtin("aquasurf-3");
  std::set<Hash128> forms;
  for (int i = 0; i < 5103; ++i) forms.insert(canonical(space.at(i)).hash());
  EXPECT_EQ(find_unique(space).evaluated, forms.size());
}

TEST(Unique, DoesNotDependOnThreads) {
  const Space space = builtin("aquasurf-3");
  const UniqueFunctions one = find_unique(space, {.run = {.threads = 1}});
  for (const std::size_t threads : {2, 3, 7}) {
    const UniqueFunctions other = find_unique(space, {.run = {.threads = threads}});
    EXPECT_EQ(one.class_of, other.class_of);
    EXPECT_EQ(one.representatives, other.representatives);
    EXPECT_EQ(one.fingerprints, other.fingerprints);
  }
}

// Thousands of shapes, far more parts than are stored: a range across the border of two schemas, in a moment.
TEST(Unique, ComparesARangeOfALargeGraphSpace) {
  // Few operators, so that many parts are small.
  const Space space(SpaceDefinition{.name = "graphs",
                                    .unary = {Op::kRelu, Op::kTanh, Op::kErf},
                                    .binary = {Op::kAdd, Op::kMul, Op::kMax},
                                    .max_nodes = 12});
  const Integer from = space.begin_of(space.schemas().size() / 2) - 100;
  const UniqueFunctions range = find_unique(space, {.from = from, .count = 200});
  const Fingerprinter fingerprint;
  std::set<Hash128> distinct;
  for (int i = 0; i < 200; ++i) distinct.insert(fingerprint(space.at(from + i)));
  EXPECT_EQ(range.unique, distinct.size());
}

TEST(Unique, KeepsRepresentativesAndEquivalents) {
  const Space space = builtin("aquasurf-3");
  const UniqueFunctions result = find_unique(space);
  EXPECT_EQ(result.total, 5103u);
  const auto members = result.members();
  ASSERT_EQ(members.size(), result.unique);
  std::size_t all = 0;
  const Fingerprinter fingerprint;
  for (std::size_t c = 0; c < members.size(); ++c) {
    all += members[c].size();
    EXPECT_EQ(members[c][0], result.representatives[c]);
    EXPECT_TRUE(std::is_sorted(members[c].begin(), members[c].end()));
    for (const std::uint32_t i : members[c]) ASSERT_EQ(fingerprint(space.at(i)), result.fingerprints[c]);
  }
  EXPECT_EQ(all, 5103u);
  const UniqueFunctions counted = find_unique(space, {.keep_classes = false});
  EXPECT_EQ(counted.unique, result.unique);
  EXPECT_TRUE(counted.class_of.empty());
}

TEST(Unique, ComparesARangeOnItsOwn) {
  const Space space = builtin("cafe-s2");
  const Integer from("20000000000");
  const UniqueFunctions range = find_unique(space, {.from = from, .count = 3000});
  EXPECT_EQ(range.total, 3000u);
  const Fingerprinter fingerprint;
  std::set<Hash128> distinct;
  for (int i = 0; i < 3000; ++i) distinct.insert(fingerprint(space.at(from + i)));
  EXPECT_EQ(range.unique, distinct.size());
  EXPECT_EQ(find_unique(space, {.from = space.total() - 5}).total, 5u);
  EXPECT_EQ(find_unique(space, {.from = space.total()}).unique, 0u);
  EXPECT_THROW(find_unique(space, {.from = space.total() + 1}), Error);
  EXPECT_THROW(find_unique(space), Error);  // too many
  EXPECT_THROW(find_unique(builtin("pangaea")), Error);
  EXPECT_THROW(find_unique(space, {.fingerprint = {.inputs = 0}, .count = 5}), Error);
  EXPECT_THROW(find_unique(space, {.count = -5}), Error);
}

// The dissertation counts 2,913.
TEST(Unique, Aquasurf3IsWithinOnePercentOfThePublishedCount) {
  EXPECT_NEAR(static_cast<double>(find_unique(builtin("aquasurf-3")).unique), 2913, 0.01 * 2913);
}

// The dissertation counts 425,896.
TEST(Unique, Aquasurf4IsWithinTwoPercentOfThePublishedCount) {
  const UniqueFunctions result = find_unique(builtin("aquasurf-4"), {.keep_classes = false});
  EXPECT_EQ(result.total, 1'023'516u);
  EXPECT_NEAR(static_cast<double>(result.unique), 425'896, 0.02 * 425'896);
}

TEST(Unique, ReportsProgressAndCanBeStopped) {
  const Space space = builtin("aquasurf-3");
  std::size_t last = 0;
  RunContext run = {.progress = [&](std::string_view step, std::size_t done, std::size_t total) {
    EXPECT_EQ(step, "functions");
    EXPECT_GT(done, last);
    EXPECT_EQ(total, 5103u);
    last = done;
  }};
  find_unique(space, {.run = run});
  EXPECT_EQ(last, 5103u);
  run.stop = [] { return true; };
  try {
    find_unique(space, {.run = run});
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

}  // namespace
}  // namespace actforge
