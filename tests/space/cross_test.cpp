#include <gtest/gtest.h>

#include <map>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/space/offspring.h"
#include "tests/space/frequency.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

std::map<std::string, int> children(const Space& space, const char* first, const char* second, int count) {
  std::map<std::string, int> seen;
  for (int i = 0; i < count; ++i) {
    Random random(1, static_cast<std::uint64_t>(i), "cross");
    ++seen[to_call(cross(space, parse(first), parse(second), random).expr)];
  }
  return seen;
}

TEST(Cross, OfOneCoreUnitExchangesUnaryOperators) {
  expect_frequencies(children(builtin("cafe-s1"), "add(tanh(x),erf(x))", "mul(sin(x),cos(x))", 8000),
                     {{"add(sin(x),erf(x))", 0.25},
                      {"add(cos(x),erf(x))", 0.25},
                      {"add(tanh(x),sin(x))", 0.25},
                      {"add(tanh(x),cos(x))", 0.25}});
}

// In S_2: two subtrees of depth three, two of depth two, four of depth one, each with partners of the same depth alone.
TEST(Cross, OfTwoLevelsPairsSubtreesOfEqualDepth) {
  const char* first = "max(tanh(add(erf(x),abs(x))),exp(sub(sin(x),cos(x))))";
  const char* second = "min(cube(mul(relu(x),sqrt(x))),sinc(div_eps(cosh(x),sinh(x))))";
  std::map<std::string, double> wanted;
  const std::vector<std::vector<std::string>> own = {{"tanh(add(erf(x),abs(x)))", "exp(sub(sin(x),cos(x)))"},
                                                     {"add(erf(x),abs(x))", "sub(sin(x),cos(x))"},
                                                     {"erf(x)", "abs(x)", "sin(x)", "cos(x)"}};
  const std::vector<std::vector<std::string>> theirs = {
      {"cube(mul(relu(x),sqrt(x)))", "sinc(div_eps(cosh(x),sinh(x)))"},
      {"mul(relu(x),sqrt(x))", "div_eps(cosh(x),sinh(x))"},
      {"relu(x)", "sqrt(x)", "cosh(x)", "sinh(x)"}};
  for (std::size_t depth = 0; depth < 3; ++depth) {
    for (const std::string& cut : own[depth]) {
      for (const std::string& graft : theirs[depth]) {
        std::string child = first;
        child.replace(child.find(cut), cut.size(), graft);
        wanted[child] += 1.0 / 8 / static_cast<double>(theirs[depth].size());
      }
    }
  }
  expect_frequencies(children(builtin("cafe-s2"), first, second, 30000), wanted);
}

// Parents of different schemas: only what both have can change places, and the child keeps the first one's schema.
TEST(Cross, OfAUnionKeepsTheFirstSchema) {
  expect_frequencies(children(builtin("aquasurf-4"), "add(relu(tanh(x)),erf(x))", "sinh(cosh(square(abs(x))))", 4000),
                     // unary(x) below relu, or erf: by abs(x). unary(unary(x)): by square(abs(x)).
                     {{"add(relu(abs(x)),erf(x))", 1.0 / 3},
                      {"add(relu(tanh(x)),abs(x))", 1.0 / 3},
                      {"add(square(abs(x)),erf(x))", 1.0 / 3}});
}

TEST(Cross, RefusesWhatItCannotDo) {
  Random random(1);
  EXPECT_THROW(cross(builtin("pangaea"), parse("relu(tanh(x))"), parse("tanh(relu(x))"), random), Error);
  EXPECT_THROW(cross(builtin("cafe-s1"), parse("relu(x)"), parse("add(relu(x),abs(x))"), random), Error);
  EXPECT_THROW(cross(builtin("cafe-s1"), parse("add(relu(x),abs(x))"), parse("gelu(x)"), random), Error);
  const Space flat(SpaceDefinition{.name = "flat", .schemas = {"unary(x)"}});
  EXPECT_THROW(cross(flat, parse("relu(x)"), parse("tanh(x)"), random), Error);
}

TEST(Cross, GivesChildrenTheirOwnParameters) {
  const Space space(SpaceDefinition{.name = "p", .schemas = {"binary(unary(x),unary(x))"}, .parameters = 2});
  for (std::uint64_t i = 0; i < 500; ++i) {
    Random random(2, i);
    const Expr child =
        cross(space, parse("alpha(add(relu(x),tanh(x)))"), parse("mul(beta(erf(x)),abs(x))"), random).expr;
    ASSERT_TRUE(space.index_of(child)) << to_call(child);
  }
}

}  // namespace
}  // namespace actforge
