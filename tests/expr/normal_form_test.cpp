#include "actforge/expr/moments/normal_form.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/moments.h"

namespace actforge {
namespace {

Moments moments_of(const Expr& expr) { return gaussian_moments(Reference(expr)); }

TEST(NormalForm, HasTheMomentsItPromises) {
  for (const char* text : {"relu(x)", "swish(x)", "gelu(x)", "tanh(x)", "selu(x)+swish(x)", "softplus(x)", "exp(x)",
                           "alpha*x*sigmoid(x)", "abs(x)", "x^2", "0.001*sin(x)", "1000*elu(x)"}) {
    const Expr function = parse(text);
    EXPECT_NEAR(moments_of(in_normal_form(function, "scale")).second_moment, 1, 2e-5) << text;
    const Moments centred = moments_of(in_normal_form(function, "centre"));
    EXPECT_NEAR(centred.mean, 0, 5e-6) << text;
    EXPECT_NEAR(centred.variance, 1, 3e-5) << text;
    const Moments slope = moments_of(in_normal_form(function, "slope"));
    EXPECT_NEAR(slope.mean, 0, 5e-6) << text;
    EXPECT_NEAR(slope.derivative_second_moment, 1, 3e-5) << text;
    // What no form can have together (normal_form.h).
    EXPECT_LE(slope.variance, 1 + 1e-6) << text;
  }
}

TEST(NormalForm, IsShortAndReadsBack) {
  EXPECT_EQ(to_infix(in_normal_form(parse("relu(x)"), "scale")), "1.41421*relu(x)");
  for (const NormalForm& form : normal_forms()) {
    const Expr function = in_normal_form(parse("swish(x)"), form);
    EXPECT_TRUE(parse(to_call(function)) == function) << to_call(function);
  }
}

TEST(NormalForm, StaysAsItIs) {
  for (const char* text : {"x", "-x", "1.41421*relu(x)"}) {
    EXPECT_TRUE(in_normal_form(parse(text), "scale") == parse(text)) << text;
    EXPECT_TRUE(in_normal_form(parse(text), "none") == parse(text)) << text;
  }
  for (const char* text : {"swish(x)", "softplus(x)", "mish(x)", "sigmoid(x)", "tanh(x)", "selu(x)+swish(x)"}) {
    for (const NormalForm& form : normal_forms()) {
      const Expr once = in_normal_form(parse(text), form), twice = in_normal_form(once, form);
      EXPECT_TRUE(twice == once) << to_call(once) << " became " << to_call(twice);
    }
  }
}

std::string message_of(const char* text, const char* form) {
  try {
    in_normal_form(parse(text), form);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(NormalForm, SaysWhereThereIsNone) {
  EXPECT_TRUE(message_of("0*x", "scale").find("cannot be made 1") != std::string::npos) << message_of("0*x", "scale");
  EXPECT_TRUE(message_of("sigmoid(x)*0+3", "centre").find("no normal form 'centre'") != std::string::npos);
  EXPECT_TRUE(message_of("exp(x^2)", "scale").find("no normal form 'scale'") != std::string::npos);
  EXPECT_EQ(message_of("relu(x)", "scal"), "unknown normal form 'scal'; did you mean 'scale'?");
}

}  // namespace
}  // namespace actforge
