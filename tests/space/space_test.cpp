#include "actforge/space/space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/combination.h"
#include "actforge/space/count.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

TEST(Space, HasThePublishedSizes) {
  EXPECT_EQ(builtin("cafe-s1").total(), 3456);
  EXPECT_EQ(builtin("cafe-s2").total(), Integer(3456) * 3456 * 3456);
  EXPECT_EQ(builtin("aquasurf-3").total(), 5103);
  EXPECT_EQ(builtin("aquasurf-4").total(), 1'023'516);
  // S_d is core_unit(S_{d-1}, S_{d-1}).
  for (int d = 2; d <= kDeepestCafe; ++d) {
    const Integer smaller = Space(cafe_space(d - 1)).total();
    EXPECT_EQ(Space(cafe_space(d)).total(), 3456 * smaller * smaller) << d;
  }
}

// Table "The number of activation functions", whose last row should have five arrangements.
TEST(Space, CountsPangaeaRowByRow) {
  struct Row {
    int nodes, binary, unary, edges, arrangements;
  };
  const std::vector<Row> table = {{1, 0, 1, 2, 1}, {2, 0, 2, 3, 1},  {3, 0, 3, 4, 1},   {3, 1, 2, 5, 1},
                                  {4, 0, 4, 5, 1}, {4, 1, 3, 6, 3},  {5, 0, 5, 6, 1},   {5, 1, 4, 7, 6},
                                  {5, 2, 3, 8, 2}, {6, 0, 6, 7, 1},  {6, 1, 5, 8, 10},  {6, 2, 4, 9, 10},
                                  {7, 0, 7, 8, 1}, {7, 1, 6, 9, 15}, {7, 2, 5, 10, 30}, {7, 3, 4, 11, 5}};
  const std::vector<std::pair<int, Integer>> published = {{1, 108},
                                                          {2, 5832},
                                                          {3, 427'923},
                                                          {4, 31'177'872},
                                                          {5, 2'210'558'364},
                                                          {6, Integer("152059087566")},
                                                          {7, Integer("10015741690785")}};
  const Space pangaea = builtin("pangaea");
  const auto rows = count_rows(pangaea);
  ASSERT_EQ(rows.size(), table.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].nodes(), table[i].nodes);
    EXPECT_EQ(rows[i].binary, table[i].binary);
    EXPECT_EQ(rows[i].unary, table[i].unary);
    EXPECT_EQ(rows[i].edges, table[i].edges);
    EXPECT_EQ(rows[i].arrangements, table[i].arrangements) << rows[i].nodes() << " nodes";
    Integer functions = table[i].arrangements;
    for (int k = 0; k < table[i].unary; ++k) functions *= 27;
    for (int k = 0; k < table[i].binary; ++k) functions *= 7;
    Integer placements = 0;
    for (std::size_t k = 0; k <= 3; ++k) placements += binomial(static_cast<std::size_t>(table[i].edges), k);
    EXPECT_EQ(rows[i].functions, functions * placements);
  }
  EXPECT_EQ(pangaea.total(), Integer("10339202744514"));
  EXPECT_EQ(sum_of(rows), pangaea.total());
  EXPECT_EQ(published_rows(pangaea).back().arrangements, 1u);
  std::map<int, Integer> by_nodes;
  for (const CountRow& row : published_rows(pangaea)) by_nodes[static_cast<int>(row.nodes())] += row.functions;
  for (const auto& [nodes, functions] : published) EXPECT_EQ(by_nodes[nodes], functions) << nodes;
  EXPECT_EQ(sum_of(published_rows(pangaea)), Integer("10170042948450"));
}

// Counted another way: a tree of n nodes has a unary root over a tree of n-1, or a binary one over two that share n-1.
TEST(Space, ArrangementsAreAllOfThemOnce) {
  std::vector<std::size_t> trees = {0, 1};
  for (std::size_t n = 2; n <= 10; ++n) {
    std::size_t count = trees[n - 1];
    for (std::size_t left = 1; left + 1 < n; ++left) count += trees[left] * trees[n - 1 - left];
    trees.push_back(count);
  }
  for (int n = 1; n <= 10; ++n) {
    std::set<std::string> seen;
    for (int b = 0; 2 * b + 1 <= n; ++b) {
      const auto texts = arrangements(n - b, b);
      seen.insert(texts.begin(), texts.end());
    }
    EXPECT_EQ(seen.size(), trees[static_cast<std::size_t>(n)]) << n;
  }
}

// Every function of a small space once, and nothing else: against enumeration by nested loops.
TEST(Space, EnumeratesEveryFunctionOnce) {
  const Space space = builtin("aquasurf-3");
  std::size_t i = 0;
  for (const Op binary : pangaea_binary()) {
    for (const Op left : pangaea_unary()) {
      for (const Op right : pangaea_unary()) {
        const auto name = [](Op op) { return std::string(op_info(op).name); };
        ASSERT_EQ(to_call(space.at(i++)), name(binary) + "(" + name(left) + "(x)," + name(right) + "(x))");
      }
    }
  }
  EXPECT_EQ(i, space.total());
  EXPECT_THROW(space.at(i), Error);
  EXPECT_THROW(space.at(-1), Error);
}

TEST(Space, EnumeratesEveryPlacementOfParameters) {
  const Space space(SpaceDefinition{.name = "tiny",
                                    .unary = {Op::kRelu},
                                    .binary = {Op::kAdd, Op::kMul},
                                    .schemas = {"binary(unary(x),unary(x))"},
                                    .parameters = 3});
  EXPECT_EQ(space.total(), 2 * (1 + 5 + 10 + 10));
  std::set<std::string> texts;
  for (Integer i = 0; i < space.total(); ++i) texts.insert(to_call(space.at(i)));
  EXPECT_EQ(texts.size(), space.total());
  EXPECT_TRUE(texts.contains("add(relu(x),relu(x))"));
  EXPECT_TRUE(texts.contains("alpha(mul(beta(relu(x)),relu(gamma(x))))"));
}

TEST(Space, IndexIsTheInverseOfAt) {
  for (const BuiltinSpace& row : builtin_spaces()) {
    const Space space(row.define());
    Random random(5, 0, row.name);
    for (int i = 0; i < 2000; ++i) {
      const Integer index = random_below(random, space.total());
      const Expr expr = space.at(index);
      ASSERT_EQ(space.index_of(expr), index) << row.name << " " << to_call(expr);
      ASSERT_EQ(parse(to_call(expr)), expr);
      ASSERT_TRUE(space.admits(expr));
    }
    // Both ends, and both sides of every border between schemas.
    for (std::size_t schema = 0; schema <= space.schemas().size(); ++schema) {
      const Integer border = space.begin_of(schema);
      if (border < space.total()) {
        EXPECT_EQ(space.index_of(space.at(border)), border);
      }
      if (border > 0) {
        EXPECT_EQ(space.index_of(space.at(border - 1)), border - 1);
      }
    }
  }
}

TEST(Space, ReachesIndicesBeyond64Bits) {
  const Space space(cafe_space(4));
  const Integer last = space.total() - 1;
  EXPECT_GT(last, Integer(1) << 128);
  EXPECT_EQ(space.index_of(space.at(last)), last);
}

TEST(Space, KnowsWhatIsNotInIt) {
  const Space pangaea = builtin("pangaea");
  EXPECT_FALSE(pangaea.index_of(parse("gelu(x)")));
  EXPECT_FALSE(pangaea.index_of(parse("add(x,relu(x))")));  // counted graphs begin with unary nodes
  EXPECT_TRUE(pangaea.admits(parse("add(x,relu(x))")));     // mutations reach it
  EXPECT_FALSE(pangaea.admits(parse("x")));
  EXPECT_FALSE(pangaea.admits(parse("relu(2)")));
  EXPECT_FALSE(pangaea.admits(parse("alpha(beta(relu(x)))")));   // two on one edge
  EXPECT_FALSE(pangaea.admits(parse("alpha(relu(alpha(x)))")));  // one on two edges
  EXPECT_FALSE(pangaea.admits(parse("alpha(relu(beta(tanh(gamma(abs(param_3(x)))))))")));
  EXPECT_FALSE(pangaea.admits(parse("alpha[0.5](relu(x))")));
  EXPECT_FALSE(pangaea.admits(parse("alpha[1,layer](relu(x))")));
  std::string long_chain = "x";
  for (int i = 0; i < 15; ++i) long_chain = "relu(" + long_chain + ")";
  EXPECT_TRUE(pangaea.admits(parse(long_chain)));  // the most that an insertion makes
  EXPECT_FALSE(pangaea.admits(parse("relu(" + long_chain + ")")));
  EXPECT_TRUE(
      pangaea.admits(parse("relu(tanh(relu(tanh(relu(tanh(relu(tanh(x))))))))")));  // eight nodes: too many, for now
  EXPECT_FALSE(pangaea.index_of(parse("relu(tanh(relu(tanh(relu(tanh(relu(tanh(x))))))))")));
  const Space core = builtin("cafe-s1");
  EXPECT_FALSE(core.admits(parse("relu(x)")));
  EXPECT_FALSE(core.admits(parse("add(elu(x),relu(x))")));
  EXPECT_FALSE(core.admits(parse("alpha(add(tanh(x),relu(x)))")));
  EXPECT_TRUE(core.admits(parse("add(tanh(x),relu(x))")));
}

// Parameters keep their place whatever they are called.
TEST(Space, IndexDoesNotDependOnNamesOfParameters) {
  const Space pangaea = builtin("pangaea");
  EXPECT_EQ(pangaea.index_of(parse("beta(relu(alpha(x)))")), pangaea.index_of(parse("alpha(relu(beta(x)))")));
}

TEST(Space, SubsetsComeInOrder) {
  std::vector<std::size_t> previous;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto subset = subset_at(6, i);
    EXPECT_EQ(subset_index(6, subset), i);
    if (i > 0) {
      EXPECT_TRUE(previous.size() < subset.size() || (previous.size() == subset.size() && previous < subset));
    }
    previous = subset;
  }
}

TEST(Space, UserSchemasTakeListsOperatorsAndConstants) {
  const Space space(SpaceDefinition{.name = "gated",
                                    .unary = {Op::kRelu, Op::kTanh},
                                    .lists = {make_list("gate", {Op::kSigmoid, Op::kHardSigmoid})},
                                    .schemas = {"mul(unary(x),gate(unary(x)))", "max(0.5,unary(x))", "prelu(x)"}});
  EXPECT_EQ(space.total(), 2 * 2 * 2 + 2 + 1);
  EXPECT_EQ(to_call(space.at(0)), "mul(relu(x),sigmoid(relu(x)))");
  EXPECT_EQ(to_call(space.at(7)), "mul(tanh(x),hard_sigmoid(tanh(x)))");
  EXPECT_EQ(to_call(space.at(9)), "max(0.5,tanh(x))");
  EXPECT_EQ(to_call(space.at(10)), "prelu(x)");
}

std::string error_of(const SpaceDefinition& definition) {
  try {
    Space space(definition);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Space, RefusesDefinitionsThatMakeNoSense) {
  const auto schema = [](const std::string& text) { return error_of({.name = "s", .schemas = {text}}); };
  EXPECT_EQ(schema("unary(x)"), "");
  EXPECT_NE(schema("").find("empty"), std::string::npos);
  EXPECT_NE(schema("unary").find("needs its input"), std::string::npos);
  EXPECT_NE(schema("unary()").find("names no input"), std::string::npos);
  EXPECT_NE(schema("add(1,2)").find("names no input"), std::string::npos);
  EXPECT_NE(schema("unari(x)").find("did you mean 'unary'"), std::string::npos);
  EXPECT_NE(schema("binary(x)").find("takes 2 inputs, not 1"), std::string::npos);
  EXPECT_NE(schema("unary(x,x)").find("takes 1 input, not 2"), std::string::npos);
  EXPECT_NE(schema("unary(x").find("expected ',' or ')'"), std::string::npos);
  EXPECT_NE(schema("unary(x))").find("unexpected"), std::string::npos);
  EXPECT_NE(schema(std::string(300, '(')), "");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "unary(";
  EXPECT_NE(schema(deep + "x").find("too deeply"), std::string::npos);
  EXPECT_NE(error_of({.schemas = {"unary(x)", " unary( x )"}}).find("twice"), std::string::npos);
  EXPECT_NE(error_of({.unary = {}, .schemas = {"unary(x)"}}).find("empty"), std::string::npos);
  EXPECT_NE(error_of({.unary = {Op::kAdd}, .schemas = {"unary(x)"}}).find("binary"), std::string::npos);
  EXPECT_NE(error_of({.unary = {Op::kRelu, Op::kRelu}, .schemas = {"unary(x)"}}).find("twice"), std::string::npos);
  EXPECT_NE(error_of({}).find("no schema"), std::string::npos);
  EXPECT_NE(error_of({.max_nodes = 0}).find("from 1 to"), std::string::npos);
  EXPECT_NE(error_of({.max_nodes = 99}).find("from 1 to"), std::string::npos);
  EXPECT_NE(error_of({.schemas = {"unary(x)"}, .max_nodes = 3}).find("not both"), std::string::npos);
  EXPECT_NE(error_of({.schemas = {"unary(x)"}, .parameters = -1}).find("from 0 to"), std::string::npos);
}

}  // namespace
}  // namespace actforge
