#include "actforge/expr/kernels/kernel_cost.h"

#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"

namespace actforge {
namespace {

double cost(const char* text) { return relative_cost(parse(text)); }

TEST(KernelCost, EveryOperatorHasOne) {
  for (const OpInfo& info : op_table()) {
    const std::string name(info.name);
    const std::string text = info.arity == 1 ? name + "(x)" : name + "(tanh(x),sin(x))";
    EXPECT_GE(relative_cost(parse(text)), 0.5) << text;
    EXPECT_LE(relative_cost(parse(text)), 120) << text;
  }
}

TEST(KernelCost, ReluIsTheUnit) {
  EXPECT_DOUBLE_EQ(cost("relu(x)"), 1);
  EXPECT_GT(cost("tanh(x)"), 3);
  EXPECT_GT(cost("pow(abs(x),x)"), 50);
}

TEST(KernelCost, IsThatOfTheCanonicalForm) {
  EXPECT_DOUBLE_EQ(cost("add(tanh(x),tanh(x))") - cost("tanh(x)"), cost("add(x,x)") - cost("identity(x)") + 0.8);
  EXPECT_DOUBLE_EQ(cost("mul(x,erf(exp(one(x))))"), cost("mul(x,one(x))") + cost("mul(x,0.5)") - cost("identity(x)"));
  // What depends on parameters alone is computed once.
  EXPECT_DOUBLE_EQ(cost("mul(x,exp(alpha(one(x))))"), cost("mul(x,0.5)"));
}

}  // namespace
}  // namespace actforge
