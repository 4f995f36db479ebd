#include "actforge/space/requirements.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/space/builtin_spaces.h"
#include "actforge/space/offspring.h"
#include "actforge/space/space_file.h"

namespace actforge {
namespace {

std::string refused(const char* requirements, const char* function) {
  return refusal(read_requirements(requirements), parse(function));
}

void expect_refused(const char* requirements, std::initializer_list<const char*> functions) {
  for (const char* function : functions) EXPECT_NE(refused(requirements, function), "") << function;
}

void expect_admitted(const char* requirements, std::initializer_list<const char*> functions) {
  for (const char* function : functions) EXPECT_EQ(refused(requirements, function), "") << function;
}

TEST(Requirements, ConstantsAreToldByTheirValues) {
  expect_refused("not-constant", {"zero(x)", "one(alpha(x))", "sub(x,x)", "relu(negative(abs(x)))", "min(0,square(x))",
                                  "add(2,erfc(add(50,abs(x))))"});
  // Single points do not count.
  expect_refused("not-constant", {"div(x,x)", "div_no_nan(x,x)", "div(0,x)"});
  // Learnable factors begin at nothing.
  expect_refused("not-constant", {"alpha[0](relu(x))", "add(1,beta[0,neuron](exp(x)))", "sub(alpha(x),x)"});
  expect_refused("not-constant", {"sqrt(sub(-1,abs(x)))", "reciprocal(zero(x))"});
  expect_admitted("not-constant", {"relu(x)", "x", "relu(sub(x,8))", "gauss(cube(x))", "alpha[1e-6](x)", "exp(exp(x))",
                                   "reciprocal(x)", "sqrt(x)", "add(1,mul(0.001,tanh(x)))"});
}

TEST(Requirements, FiniteMeansOnMinusTenToTen) {
  expect_refused("finite", {"reciprocal(x)", "exp(exp(x))", "exp(square(x))", "sqrt(x)", "div(1,sub(x,10))"});
  // Poles that no number of any grid meets, of odd and even order.
  expect_refused("finite", {"reciprocal(sub(square(x),2))", "reciprocal(square(sub(square(x),2)))"});
  expect_admitted("finite", {"zero(x)", "tanh(x)", "reciprocal(add(1,square(x)))", "exp(x)", "div(1,sub(x,10.5))",
                             "max(relu(x),cosh(elu(x)))", "div_no_nan(x,add(1,abs(x)))"});
}

TEST(Requirements, CostIsBoundedByTheTable) {
  EXPECT_EQ(refused("cost<=1", "relu(x)"), "");
  EXPECT_EQ(refused("cost<=1", "tanh(x)"), "it costs 5.3 times as much as ReLU");
  EXPECT_EQ(refused("cost<=5.3", "tanh(x)"), "");
  expect_refused("cost<=8", {"pow(abs(x),tanh(x))", "sinh(cosh(x))"});
}

// What is looked up comes first: the others evaluate the function.
TEST(Requirements, TheFirstThatIsNotMetIsTold) {
  EXPECT_TRUE(refused("cost<=1,finite,not-constant", "sub(tanh(x),tanh(x))").starts_with("it costs"))
      << refused("cost<=1,finite,not-constant", "sub(tanh(x),tanh(x))");
  EXPECT_EQ(refused("cost<=100,finite,not-constant", "sub(tanh(x),tanh(x))"), "it is constant, 0");
  EXPECT_EQ(refused("finite,not-constant", "reciprocal(x)"), "it is not finite at 0");
  EXPECT_EQ(refused("none", "zero(x)"), "");
}

std::string error_of(const char* text) {
  try {
    read_requirements(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Requirements, AreReadAndWritten) {
  for (const char* text : {"none", "not-constant", "not-constant,finite,cost<=8", "finite,cost<=2.5"}) {
    EXPECT_EQ(requirements_text(read_requirements(text)), text);
  }
  EXPECT_EQ(requirements_text(read_requirements(" cost <= 8 , not-constant")), "not-constant,cost<=8");
  EXPECT_EQ(error_of("not-constnat"), "unknown requirement 'not-constnat'; did you mean 'not-constant'?");
  EXPECT_EQ(error_of("finite,finite"), "'finite' is required twice");
  EXPECT_EQ(error_of("cost"), "'cost' needs a limit, such as cost<=8");
  EXPECT_EQ(error_of("finite<=3"), "'finite' takes no limit");
  EXPECT_NE(error_of("cost<=dear").find("'dear'"), std::string::npos);
  EXPECT_NE(error_of("finite,none"), "");
  EXPECT_NE(error_of(""), "");
}

// Of PANGAEA's first functions about every eighth is a constant.
TEST(Requirements, ManyInitialFunctionsAreConstant) {
  SpaceDefinition definition = find_builtin_space("pangaea").value();
  definition.require = read_requirements("not-constant");
  const Space space(definition);
  int refused = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(0, i, "sample");
    refused += space.refusal(initial(space, random).expr).empty() ? 0 : 1;
  }
  EXPECT_NEAR(refused, 26, 8);
}

TEST(Requirements, ASpaceFileHasThem) {
  const std::string text = "schemas = [\"unary(x)\"]\nrequire = \"cost<=8, finite\"\n";
  const Space space = parse_space(text, "small.toml");
  EXPECT_EQ(requirements_text(space.definition().require.value()), "finite,cost<=8");
  EXPECT_NE(space.refusal(parse("reciprocal(x)")), "");
  EXPECT_EQ(space.refusal(parse("zero(x)")), "");
  EXPECT_EQ(parse_space(space_toml(space), "again").definition().require, space.definition().require);
  EXPECT_EQ(space.total(), parse_space("schemas = [\"unary(x)\"]\n", "all.toml").total());
  EXPECT_FALSE(Space(find_builtin_space("pangaea").value()).definition().require);
  try {
    parse_space("schemas = [\"unary(x)\"]\n\nrequire = \"fnite\"\n", "small.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "small.toml, line 3: unknown requirement 'fnite'; did you mean 'finite'?");
  }
}

}  // namespace
}  // namespace actforge
