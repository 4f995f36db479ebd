#include <gtest/gtest.h>

#include "actforge/expr/language/parse.h"
#include "actforge/space/function_key.h"

namespace actforge {
namespace {

bool same(const char* a, const char* b, Sameness sameness) {
  const FunctionKeys keys(sameness);
  return is_same_function(keys(parse(a)), keys(parse(b)));
}

TEST(ShapeFingerprint, FactorsDoNotCount) {
  for (const char* text : {"3*relu(x)", "relu(x)+relu(x)", "relu(0.3*x)", "max(0,7*x)"}) {
    EXPECT_TRUE(same("relu(x)", text, Sameness::kScale)) << text;
    EXPECT_FALSE(same("relu(x)", text, Sameness::kOutputs)) << text;
  }
  EXPECT_TRUE(same("0.37*(swish(x)+tanh(x))", "tanh(x)+swish(x)", Sameness::kScale));
}

TEST(ShapeFingerprint, WhatIsFarCounts) {
  for (const Sameness sameness : {Sameness::kOutputs, Sameness::kScale, Sameness::kScaleAndShift}) {
    EXPECT_FALSE(same("relu(x)", "relu6(x)", sameness));
    // Large values far away do not hide the shape in the middle.
    EXPECT_FALSE(same("exp(square(x))", "exp(square(x))+tanh(x)", sameness));
  }
}

TEST(ShapeFingerprint, SignsAndShapesCount) {
  for (const char* text : {"-relu(x)", "relu(x)+0.001", "elu(x)", "leaky_relu(x)", "relu(x)^2", "1.0001*x"}) {
    EXPECT_FALSE(same("relu(x)", text, Sameness::kScale)) << text;
  }
}

TEST(ShapeFingerprint, ConstantsDoNotCountWhereTheyAreTakenAway) {
  EXPECT_TRUE(same("sigmoid(x)", "tanh(x/2)", Sameness::kScaleAndShift));  // tanh(x/2) = 2 sigmoid(x) - 1
  EXPECT_FALSE(same("sigmoid(x)", "tanh(x/2)", Sameness::kScale));
  EXPECT_FALSE(same("sigmoid(x)", "tanh(x)", Sameness::kScaleAndShift));
}

TEST(ShapeFingerprint, ParametersCount) {
  EXPECT_TRUE(same("alpha*relu(x)", "2*alpha*relu(x)", Sameness::kScale));
  EXPECT_FALSE(same("alpha*relu(x)", "relu(x)", Sameness::kScale));
}

TEST(ShapeFingerprint, KindsOfFingerprintsNeverMeet) {
  const Expr relu = parse("relu(x)");
  for (const Sameness mine : {Sameness::kOutputs, Sameness::kScale, Sameness::kScaleAndShift}) {
    for (const Sameness other : {Sameness::kOutputs, Sameness::kScale, Sameness::kScaleAndShift}) {
      EXPECT_EQ(FunctionKeys(mine).is_outdated(FunctionKeys(other)(relu).fingerprint), mine != other);
    }
    EXPECT_FALSE(FunctionKeys(mine).is_outdated(""));
    EXPECT_TRUE(FunctionKeys(mine).is_outdated("0123456789abcdef"));
  }
}

}  // namespace
}  // namespace actforge
