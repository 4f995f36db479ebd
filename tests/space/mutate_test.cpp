#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/fingerprint.h"
#include "actforge/space/offspring.h"
#include "tests/space/frequency.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

// The parent of Figure "Evolutionary operations on activation functions".
constexpr const char* kParent = "square(add(tanh(x),abs(erf(x))))";

Space without_parameters() { return Space(SpaceDefinition{.name = "pangaea-0", .max_nodes = 7}); }

std::map<std::string, int> children(const Space& space, const char* parent, std::optional<MutationKind> kind,
                                    int count) {
  std::map<std::string, int> seen;
  for (int i = 0; i < count; ++i) {
    Random random(1, static_cast<std::uint64_t>(i), "children");
    ++seen[to_call(mutate(space, parse(parent), random, kind).expr)];
  }
  return seen;
}

std::map<std::string, int> kinds(const char* parent, int count) {
  std::map<std::string, int> seen;
  const Space space = builtin("pangaea");
  for (int i = 0; i < count; ++i) {
    Random random(2, static_cast<std::uint64_t>(i), "kinds");
    ++seen[mutate(space, parse(parent), random).kind];
  }
  return seen;
}

TEST(Mutate, AllFourKindsAreEquallyLikely) {
  expect_frequencies(kinds(kParent, 20000),
                     {{"insert", 0.25}, {"remove", 0.25}, {"change", 0.25}, {"regenerate", 0.25}});
}

TEST(Mutate, OneNodeIsChangedInPlaceOfRemoved) {
  expect_frequencies(kinds("relu(x)", 20000), {{"insert", 0.25}, {"change", 0.5}, {"regenerate", 0.25}});
}

TEST(Mutate, MoreThanSevenNodesLoseOne) {
  const char* eight = "relu(tanh(relu(tanh(relu(tanh(relu(tanh(x))))))))";
  expect_frequencies(kinds(eight, 1000), {{"remove", 1.0}});
  const char* seven = "tanh(relu(tanh(relu(tanh(relu(tanh(x)))))))";
  EXPECT_EQ(kinds(seven, 1000).size(), 4u);
  // Asked for another kind by name, the rule still holds.
  Random random(1);
  EXPECT_EQ(mutate(builtin("pangaea"), parse(eight), random, MutationKind::kInsert).kind, "remove");
}

TEST(Mutate, RemoveTakesEveryNodeEquallyOften) {
  expect_frequencies(children(without_parameters(), kParent, MutationKind::kRemove, 20000),
                     {{"add(tanh(x),abs(erf(x)))", 0.2},
                      {"square(tanh(x))", 0.1},
                      {"square(abs(erf(x)))", 0.1},
                      {"square(add(x,abs(erf(x))))", 0.2},
                      {"square(add(tanh(x),erf(x)))", 0.2},
                      {"square(add(tanh(x),abs(x)))", 0.2}});
}

TEST(Mutate, RemoveNeverLeavesNothing) {
  expect_frequencies(children(without_parameters(), "add(x,relu(x))", MutationKind::kRemove, 4000),
                     {{"identity(x)", 0.25}, {"relu(x)", 0.25}, {"add(x,x)", 0.5}});
}

TEST(Mutate, ChangeTakesAnotherOperatorOfTheSameArity) {
  std::map<std::string, double> wanted;
  for (const Op op : pangaea_unary()) {
    const std::string name(op_info(op).name);
    if (op != Op::kTanh) wanted["sub(" + name + "(x),erf(x))"] = 1.0 / 3 / 26;
    if (op != Op::kErf) wanted["sub(tanh(x)," + name + "(x))"] = 1.0 / 3 / 26;
  }
  for (const Op op : pangaea_binary()) {
    if (op != Op::kSub) wanted[std::string(op_info(op).name) + "(tanh(x),erf(x))"] = 1.0 / 3 / 6;
  }
  expect_frequencies(children(without_parameters(), "sub(tanh(x),erf(x))", MutationKind::kChange, 50000), wanted);
}

TEST(Mutate, RegenerateChangesEveryOperator) {
  std::map<std::string, double> wanted;
  const Space small(SpaceDefinition{
      .name = "small", .unary = {Op::kRelu, Op::kTanh, Op::kErf}, .binary = {Op::kAdd, Op::kMul}, .max_nodes = 7});
  for (const char* left : {"tanh", "erf"}) {
    for (const char* right : {"relu", "erf"}) {
      wanted["mul(" + std::string(left) + "(x)," + right + "(x))"] = 0.25;
    }
  }
  expect_frequencies(children(small, "add(relu(x),tanh(x))", MutationKind::kRegenerate, 4000), wanted);
}

// Every one of the seven edges of the parent, x's and the output's included, and every one of the 34 operators.
TEST(Mutate, InsertPutsEveryOperatorOnEveryEdge) {
  const std::vector<std::pair<std::string, std::string>> edges = {{"", "square(add(tanh(x),abs(erf(x))))"},
                                                                  {"square(", "add(tanh(x),abs(erf(x)))"},
                                                                  {"square(add(", "tanh(x)"},
                                                                  {"square(add(tanh(", "x"},
                                                                  {"square(add(tanh(x),", "abs(erf(x))"},
                                                                  {"square(add(tanh(x),abs(", "erf(x)"},
                                                                  {"square(add(tanh(x),abs(erf(", "x"}};
  std::map<std::string, double> wanted;
  const std::string parent = kParent;
  for (const auto& [before, below] : edges) {
    const std::string after = parent.substr(before.size() + below.size());
    const auto put = [&](const std::string& text) { wanted[before + text + after] += 1.0 / 34 / 7; };
    for (const Op op : pangaea_unary()) put(std::string(op_info(op).name) + "(" + below + ")");
    for (const char* op : {"add", "sub"}) put(std::string(op) + "(" + below + ",zero(x))");
    for (const char* op : {"mul", "div_no_nan", "pow"}) put(std::string(op) + "(" + below + ",one(x))");
    for (const char* op : {"max", "min"}) put(std::string(op) + "(" + below + "," + below + ")");
  }
  expect_frequencies(children(without_parameters(), kParent, MutationKind::kInsert, 50000), wanted);
}

// "The activation function computed remains unchanged." One exception: adding 0 turns -0 into +0, and the reciprocal of
// that from -inf into +inf.
TEST(Mutate, InsertedBinaryOperatorsLeaveTheFunctionUnchanged) {
  const Space space = without_parameters();
  const std::vector<float> x = fingerprint_inputs({.inputs = 200});
  const auto outputs = [&](const Expr& expr) {
    std::vector<float> y(x.size());
    Kernel(expr).forward({.x = x, .y = y});
    return y;
  };
  int inserted = 0;
  for (std::uint64_t i = 0; inserted < 2000; ++i) {
    Random random(3, i, "unchanged");
    const Expr parent = space.sample(random);
    const Expr child = mutate(space, parent, random, MutationKind::kInsert).expr;
    const auto binaries = [](const Expr& expr) {
      return std::ranges::count_if(expr.nodes(), [](const Node& node) { return node.child_count == 2; });
    };
    if (binaries(child) == binaries(parent)) continue;
    ++inserted;
    const auto before = outputs(parent), after = outputs(child);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const bool same = before[j] == after[j] || (std::isnan(before[j]) && std::isnan(after[j]));
      const bool adds_zero = to_call(child).find("zero(x)") != std::string::npos;
      const bool has_reciprocal =
          to_call(parent).find("reciprocal") != std::string::npos || to_call(parent).find("pow") != std::string::npos;
      if (!same && adds_zero && has_reciprocal) continue;
      ASSERT_TRUE(same) << to_call(parent) << " -> " << to_call(child) << " at " << x[j];
    }
  }
}

TEST(Mutate, ParametersComeOnUpToThreeEdges) {
  const Space space = builtin("pangaea");
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    Random random(4, i, "parameters");
    std::vector<std::string> story;
    ++seen[to_call(parameterise(space, tree_of(parse("relu(tanh(x))")).tree, random, story))];
  }
  expect_frequencies(seen, {{"relu(tanh(x))", 0.25},
                            {"alpha(relu(tanh(x)))", 0.25 / 3},
                            {"relu(alpha(tanh(x)))", 0.25 / 3},
                            {"relu(tanh(alpha(x)))", 0.25 / 3},
                            {"alpha(relu(beta(tanh(x))))", 0.25 / 3},
                            {"alpha(relu(tanh(beta(x))))", 0.25 / 3},
                            {"relu(alpha(tanh(beta(x))))", 0.25 / 3},
                            {"alpha(relu(beta(tanh(gamma(x)))))", 0.25}});
}

// One node has two edges; k = 3 takes both.
TEST(Mutate, ParametersStopAtTheNumberOfEdges) {
  const Space space = builtin("pangaea");
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Random random(4, i, "few edges");
    std::vector<std::string> story;
    ++seen[to_call(parameterise(space, tree_of(parse("relu(x)")).tree, random, story))];
  }
  expect_frequencies(
      seen, {{"relu(x)", 0.25}, {"alpha(relu(x))", 0.125}, {"relu(alpha(x))", 0.125}, {"alpha(relu(beta(x)))", 0.5}});
}

TEST(Mutate, TheParentsParametersAreDropped) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Random stream(7, i);
    const Expr next = mutate(builtin("pangaea"), parse("alpha(relu(beta(tanh(gamma(x)))))"), stream).expr;
    ASSERT_LE(next.parameters().size(), 3u);
  }
}

TEST(Mutate, StaysInAUnionOfSchemas) {
  const Space space = builtin("cafe-s1");
  std::map<std::string, double> wanted;
  for (const Op op : cafe_unary()) {
    const std::string name(op_info(op).name);
    if (op != Op::kTanh) wanted["sub(" + name + "(x),erf(x))"] = 1.0 / 3 / 23;
    if (op != Op::kErf) wanted["sub(tanh(x)," + name + "(x))"] = 1.0 / 3 / 23;
  }
  for (const Op op : cafe_binary()) {
    if (op != Op::kSub) wanted[std::string(op_info(op).name) + "(tanh(x),erf(x))"] = 1.0 / 3 / 5;
  }
  expect_frequencies(children(space, "sub(tanh(x),erf(x))", std::nullopt, 50000), wanted);
  Random random(8);
  EXPECT_THROW(mutate(space, parse("sub(tanh(x),erf(x))"), random, MutationKind::kInsert), Error);
  EXPECT_THROW(mutate(space, parse("tanh(x)"), random), Error);
}

TEST(Mutate, RefusesWhatCannotChange) {
  const Space fixed(SpaceDefinition{.name = "fixed", .schemas = {"relu(x)"}});
  Random random(9);
  EXPECT_THROW(mutate(fixed, parse("relu(x)"), random), Error);
  // A fixed operator stays when others can change.
  const Space gated(SpaceDefinition{.name = "gated", .schemas = {"mul(x,unary(x))"}});
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random stream(10, i);
    EXPECT_EQ(gated.index_of(mutate(gated, parse("mul(x,sigmoid(x))"), stream).expr).has_value(), true);
  }
}

TEST(Mutate, TakesTheKindThatCanBeDone) {
  const Space one(SpaceDefinition{.name = "one", .unary = {Op::kRelu}, .binary = {Op::kAdd}, .max_nodes = 3});
  expect_frequencies(children(one, "relu(x)", std::nullopt, 200), {{"relu(relu(x))", 1.0}});
  Random random(1);
  EXPECT_THROW(mutate(one, parse("relu(x)"), random, MutationKind::kChange), Error);
}

// div_eps(f,1) is not f, so it is never inserted; it can still be changed to.
TEST(Mutate, InsertsOnlyWhatLeavesTheFunctionUnchanged) {
  const Space space(SpaceDefinition{
      .name = "s", .unary = {Op::kRelu, Op::kOne}, .binary = {Op::kDivEps, Op::kAdd, Op::kMul}, .max_nodes = 3});
  expect_frequencies(children(space, "relu(x)", MutationKind::kInsert, 2000), {{"relu(relu(x))", 1.0 / 3},
                                                                               {"one(relu(x))", 1.0 / 6},
                                                                               {"relu(one(x))", 1.0 / 6},
                                                                               {"mul(relu(x),one(x))", 1.0 / 6},
                                                                               {"relu(mul(x,one(x)))", 1.0 / 6}});
}

TEST(Mutate, FindsTheSchemaInWhichSomethingCanChange) {
  const Space space(SpaceDefinition{.name = "s", .schemas = {"relu(x)", "unary(x)"}});
  for (std::uint64_t i = 0; i < 50; ++i) {
    Random random(1, i);
    EXPECT_NE(to_call(mutate(space, parse("relu(x)"), random).expr), "relu(x)");
  }
}

TEST(Mutate, TellsWhatItDid) {
  const Space space = builtin("pangaea");
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(1, i);
    const Offspring child = mutate(space, parse("relu(x)"), random, MutationKind::kRemove);
    ASSERT_EQ(child.story.size(), 3u);
    EXPECT_EQ(child.story[0], "remove becomes change: the parent has one node");
    const std::string operation(op_info(tree_of(child.expr).tree.op).name);
    EXPECT_EQ(child.story[1], "change: node 1 of 1, relu, becomes " + operation);
    // One node has two edges: both have a parameter for k = 2 and k = 3.
    const std::string drawn = child.story[2].substr(0, 19);
    const std::map<std::string, std::size_t> most = {
        {"parameterise: k = 0", 0}, {"parameterise: k = 1", 1}, {"parameterise: k = 2", 2}, {"parameterise: k = 3", 2}};
    ASSERT_TRUE(most.contains(drawn)) << drawn;
    EXPECT_EQ(child.expr.parameters().size(), most.at(drawn));
    EXPECT_EQ(child.story[2].find("alpha on the output edge") != std::string::npos,
              to_call(child.expr).starts_with("alpha("));
  }
}

TEST(Mutate, SameStreamSameChild) {
  const Space space = builtin("pangaea");
  for (std::uint64_t i = 0; i < 100; ++i) {
    Random one(11, i, "mutate"), two(11, i, "mutate");
    EXPECT_EQ(mutate(space, parse(kParent), one).expr, mutate(space, parse(kParent), two).expr);
  }
}

TEST(Initial, HasTheTwoFormsEquallyOften) {
  const Space space(SpaceDefinition{
      .name = "small", .unary = {Op::kRelu, Op::kTanh}, .binary = {Op::kAdd, Op::kMul}, .max_nodes = 7});
  std::map<std::string, int> seen;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Random random(12, i, "initial");
    ++seen[to_call(initial(space, random).expr)];
  }
  std::map<std::string, double> wanted;
  for (const std::string a : {"relu", "tanh"}) {
    for (const std::string b : {"relu", "tanh"}) {
      wanted[a + "(" + b + "(x))"] = 1.0 / 8;
      for (const std::string c : {"add", "mul"}) wanted[c + "(" + a + "(x)," + b + "(x))"] = 1.0 / 16;
    }
  }
  expect_frequencies(seen, wanted);
  Random random(1);
  EXPECT_THROW(initial(builtin("cafe-s1"), random), Error);
  EXPECT_THROW(initial(Space(SpaceDefinition{.name = "two", .max_nodes = 2}), random), Error);
}

}  // namespace
}  // namespace actforge
