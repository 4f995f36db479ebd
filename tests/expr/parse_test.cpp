#include "actforge/expr/language/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/expr/language/print.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

std::string call(const char* text) { return to_call(parse(text)); }

TEST(Parse, CallForm) {
  for (const char* text :
       {"max(relu(x),cosh(elu(x)))", "sum_n(abs(x),swish(x),sigmoid(x))", "mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))",
        "x", "alpha[0.25,neuron](min0(x))", "param_3[2](x)", "swish(mul(-2,x))", "pow(x,-0.5)", "gamma[1,layer](x)"}) {
    EXPECT_EQ(call(text), text);
  }
}

TEST(Parse, Infix) {
  EXPECT_EQ(call("log_sigmoid(alpha*x)*arcsinh(x)"), "mul(log_sigmoid(alpha(x)),arcsinh(x))");
  EXPECT_EQ(call("alpha*x - beta*log_sigmoid(gamma*x)"), "sub(alpha(x),beta(log_sigmoid(gamma(x))))");
  EXPECT_EQ(call("1 + 2*x^2"), "add(1,mul(2,pow(x,2)))");
  EXPECT_EQ(call("x - 1 - 2"), "sub(sub(x,1),2)");
  EXPECT_EQ(call("x/2/3"), "div(div(x,2),3)");
  EXPECT_EQ(call("x^2^3"), "pow(x,pow(2,3))");
  EXPECT_EQ(call("x**2"), "pow(x,2)");
  EXPECT_EQ(call("-x^2"), "negative(pow(x,2))");
  EXPECT_EQ(call("-2^x"), "negative(pow(2,x))");
  EXPECT_EQ(call("(-2)^x"), "pow(-2,x)");
  EXPECT_EQ(call("-2*x"), "mul(-2,x)");
  EXPECT_EQ(call("- 2 * x"), "mul(-2,x)");
  EXPECT_EQ(call("-(2)"), "negative(2)");
  EXPECT_EQ(call("x - -1"), "sub(x,-1)");
  EXPECT_EQ(call("+x"), "x");
  EXPECT_EQ(call(" max( x ,\n0 ) "), "max(x,0)");
  EXPECT_EQ(call(".5*x"), "mul(0.5,x)");
  EXPECT_EQ(call("1e-3*x"), "mul(0.001,x)");
}

TEST(Parse, ParametersInInfix) {
  EXPECT_EQ(call("arcsinh(alpha*beta*x)"), "arcsinh(alpha(beta(x)))");
  EXPECT_EQ(call("alpha*x*x"), "mul(alpha(x),x)");
  EXPECT_EQ(call("alpha*swish(x)*cosh(beta)"), "mul(alpha(swish(x)),cosh(beta(1)))");
  EXPECT_EQ(call("swish(x)/gamma"), "div(swish(x),gamma(1))");
  EXPECT_EQ(call("x/gamma*x"), "mul(div(x,gamma(1)),x)");
  EXPECT_EQ(call("2^alpha*x"), "mul(pow(2,alpha(1)),x)");
  EXPECT_EQ(call("alpha*x^2"), "alpha(pow(x,2))");
  EXPECT_EQ(call("-alpha*x"), "negative(alpha(x))");
  EXPECT_EQ(call("param_0*x"), "alpha(x)");
  EXPECT_EQ(call("alpha[0.5]*x + alpha*x"), "add(alpha[0.5](x),alpha[0.5](x))");
}

TEST(Parse, InfixOutputReadsWell) {
  EXPECT_EQ(to_infix(parse("mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))")), "log_sigmoid(alpha*x)*(beta*arcsinh(x))");
  EXPECT_EQ(to_infix(parse("sub(x,sub(x,1))")), "x - (x - 1)");
  EXPECT_EQ(to_infix(parse("div(x,mul(2,x))")), "x/(2*x)");
  EXPECT_EQ(to_infix(parse("negative(add(x,1))")), "-(x + 1)");
  EXPECT_EQ(to_infix(parse("div_no_nan(x,add(x,1))")), "div_no_nan(x, x + 1)");
}

TEST(Parse, Latex) {
  EXPECT_EQ(to_latex(parse("mul(log_sigmoid(alpha(x)),arcsinh(x))")),
            "\\log\\left(\\sigma\\left(\\alpha x\\right)\\right) \\cdot \\mathrm{arcsinh}\\left(x\\right)");
  EXPECT_EQ(to_latex(parse("mul(x,add(x,1))")), "x \\cdot \\left(x + 1\\right)");
  EXPECT_EQ(to_latex(parse("square(negative(x))")), "\\left(-x\\right)^{2}");
  EXPECT_EQ(to_latex(parse("square(x)")), "x^{2}");
  EXPECT_EQ(to_latex(parse("div(x,1e-7)")), "\\frac{x}{1 \\cdot 10^{-7}}");
  EXPECT_EQ(to_latex(parse("max_n(x,0,param_3(1))")), "\\max\\left\\{x, 0, \\theta_{3}\\right\\}");
}

TEST(Parse, EveryOperatorHasLatex) {
  for (const OpInfo& info : op_table()) {
    const std::string text = std::string(info.name) + (info.arity == 1 ? "(x)" : "(x,x)");
    const std::string latex = to_latex(parse(text));
    EXPECT_FALSE(latex.empty()) << info.name;
    EXPECT_EQ(latex.find("{a}"), std::string::npos) << info.name;
    EXPECT_EQ(std::ranges::count(latex, '{'), std::ranges::count(latex, '}')) << info.name;
  }
}

struct Wrong {
  const char* text;
  std::size_t position;
  const char* says;
};

TEST(Parse, ErrorsNameThePositionAndTheNearestName) {
  std::string deep(5001, '(');
  deep.back() = 'x';
  const std::string nested = [] {
    std::string text = "x";
    for (int i = 0; i < 250; ++i) text = "abs(" + text + ")";
    return text;
  }();
  std::string wide = "sum_n(x";
  for (int i = 0; i < 5000; ++i) wide += ",x";
  wide += ')';
  const Wrong cases[] = {
      {"sofplus(x)", 0, "did you mean 'softplus'?"},
      {"max(x,RELU(x))", 6, "did you mean 'relu'?"},
      {"relu(x", 6, "missing ')'"},
      {"relu(x))", 7, "unexpected ')'"},
      {"relu x", 0, "needs arguments in parentheses"},
      {"max(x)", 0, "'max' takes 2 arguments, not 1"},
      {"relu(x,x)", 0, "'relu' takes 1 argument, not 2"},
      {"", 0, "ends too early"},
      {"   ", 3, "ends too early"},
      {"x +", 3, "ends too early"},
      {"2x", 1, "write 2*x"},
      {"x $ x", 2, "unexpected '$'"},
      {"x \x01", 2, "unexpected"},
      {"1e999*x", 0, "out of range"},
      {"alpha[inf](x)", 6, "must be finite"},
      {"alpha[1,planet](x)", 8, "layer, channel or neuron"},
      {"alpha[1](x)+alpha[2](x)", 12, "two different initial values"},
      {"param_999(x)", 0, "too many parameters"},
      {"y", 0, "unknown operator 'y'"},
      {deep.c_str(), 0, "nested too deeply"},
      {nested.c_str(), 0, "nested too deeply"},
      {wide.c_str(), 0, "too large"},
  };
  for (const Wrong& wrong : cases) {
    try {
      parse(wrong.text);
      ADD_FAILURE() << wrong.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_NE(std::string(error.what()).find(wrong.says), std::string::npos) << wrong.text << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find("at column"), std::string::npos) << error.what();
      ASSERT_TRUE(error.position().has_value()) << wrong.text;
      if (std::string(wrong.text).size() < 100) {
        EXPECT_EQ(*error.position(), wrong.position) << wrong.text << ": " << error.what();
      }
    }
  }
  EXPECT_THROW(parse(std::string(kMaxTextLength + 1, ' ')), Error);
}

TEST(Parse, RandomExpressionsRoundTrip) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const Expr expr = random_expr(random, 1 + random.below(30));
    EXPECT_EQ(parse(to_call(expr)), expr) << to_call(expr);
    EXPECT_EQ(parse(to_infix(expr)), expr) << to_call(expr) << " as " << to_infix(expr);
  }
}

TEST(Parse, CountsAsTheDissertation) {
  const Expr a = parse("tanh(erf(x))"), b = parse("add(tanh(x),erf(x))");
  EXPECT_EQ(a.operator_count(), 2u);
  EXPECT_EQ(a.edge_count(), 3u);
  EXPECT_EQ(b.operator_count(), 3u);
  EXPECT_EQ(b.edge_count(), 5u);
  EXPECT_EQ(parse("alpha(add(tanh(beta(x)),erf(x)))").edge_count(), 5u);
}

}  // namespace
}  // namespace actforge
