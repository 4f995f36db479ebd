// Every child of every operator can be printed and parsed, is inside its space, and can be evaluated.
#include <gtest/gtest.h>

#include <cmath>

#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "actforge/space/offspring.h"
#include "tests/space/problems.h"

namespace actforge {
namespace {

const std::vector<float> kPoints = {-3.5f, -1.0f, -0.25f, 0.0f, 0.5f, 1.0f, 2.0f, 4.75f};

// Evaluates children by the float32 kernel and in double precision, and keeps count of agreement. It cannot be
// complete: sinh(sinh(x)) overflows in one before the other, and steep functions magnify roundings.
class Evaluations {
 public:
  void add(const Expr& expr) {
    std::vector<float> values(kPoints.size());
    Kernel(expr).forward({.x = kPoints, .y = values});
    const Reference reference(expr);
    for (std::size_t i = 0; i < kPoints.size(); ++i) {
      const double exact = reference.at(kPoints[i]).value, value = values[i];
      const bool numbers = std::isfinite(exact) && std::isfinite(value);
      ++total_;
      agreeing_ += numbers ? std::fabs(value - exact) <= 1e-3 * std::max(1.0, std::fabs(exact))
                           : std::isfinite(exact) == std::isfinite(value);
    }
  }

  void expect_agreement() const { EXPECT_GT(agreeing_, 0.98 * total_); }

 private:
  double total_ = 0, agreeing_ = 0;
};

void expect_good(const Space& space, const Expr& child, Evaluations& evaluations) {
  const std::string text = to_call(child);
  ASSERT_EQ(parse(text), child) << text;
  ASSERT_TRUE(space.admits(child)) << text;
  evaluations.add(child);
}

// x straight into a binary node, which the published count leaves out.
bool has_bare_input(const Expr& expr) {
  for (NodeId id = 0; id < expr.nodes().size(); ++id) {
    if (expr.children(id).size() < 2) continue;
    for (NodeId child : expr.children(id)) {
      while (expr.node(child).kind == NodeKind::kParameter) child = expr.children(child)[0];
      if (expr.node(child).kind == NodeKind::kInput) return true;
    }
  }
  return false;
}

// A line of descent, begun anew now and then.
void expect_walk_inside(const Space& space, std::uint64_t steps) {
  const auto limit = static_cast<std::size_t>(*space.definition().max_nodes);
  Evaluations evaluations;
  Random start(1);
  Expr parent = initial(space, start).expr;
  for (std::uint64_t i = 0; i < steps; ++i) {
    Random random(2, i, "walk");
    const Expr child = mutate(space, parent, random).expr;
    expect_good(space, child, evaluations);
    // A copy of the whole graph under max or min is the most that one insertion adds; above the limit none follows.
    ASSERT_LE(child.operator_count(), 2 * limit + 1) << to_call(child);
    if (parent.operator_count() > limit) {
      ASSERT_LT(child.operator_count(), parent.operator_count());
    }
    if (child.operator_count() <= limit && !has_bare_input(child)) {
      ASSERT_TRUE(space.index_of(child)) << to_call(child);
    }
    if (testing::Test::HasFatalFailure()) return;
    parent = i % 50 == 49 ? initial(space, random).expr : child;
  }
  evaluations.expect_agreement();
}

TEST(Offspring, AreInsidePangaea) { expect_walk_inside(builtin("pangaea"), 100'000); }

// Without zero, one and identity, which insert and remove would use; with another limit and other operators.
TEST(Offspring, AreInsideOtherGraphSpaces) {
  expect_walk_inside(Space(SpaceDefinition{.name = "few",
                                           .unary = {Op::kRelu, Op::kTanh},
                                           .binary = {Op::kAdd, Op::kMul, Op::kMax, Op::kDivEps},
                                           .max_nodes = 4,
                                           .parameters = 1}),
                     20'000);
  expect_walk_inside(Space(SpaceDefinition{.name = "cafe graphs",
                                           .unary = {cafe_unary().begin(), cafe_unary().end()},
                                           .binary = {cafe_binary().begin(), cafe_binary().end()},
                                           .max_nodes = 9}),
                     20'000);
  // Nothing but insert and remove can be done here.
  expect_walk_inside(Space(SpaceDefinition{.name = "one", .unary = {Op::kRelu}, .binary = {Op::kMax}, .max_nodes = 3}),
                     2'000);
}

TEST(Offspring, AreInsideUnionsOfSchemas) {
  for (const char* name : {"cafe-s1", "cafe-s2", "cafe-s3", "aquasurf-3", "aquasurf-4"}) {
    const Space space = builtin(name);
    Evaluations evaluations;
    Random start(3, 0, name);
    Expr one = space.sample(start), two = space.sample(start);
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      Random random(4, i, name);
      const Expr crossed = cross(space, one, two, random).expr;
      const Expr child = mutate(space, crossed, random).expr;
      expect_good(space, crossed, evaluations);
      expect_good(space, child, evaluations);
      ASSERT_TRUE(space.index_of(child));
      if (HasFatalFailure()) return;
      two = std::exchange(one, i % 20 == 19 ? space.sample(random) : child);
    }
    evaluations.expect_agreement();
  }
}

}  // namespace
}  // namespace actforge
