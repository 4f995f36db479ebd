// Nodes that work number by number, taken together as activation functions.
#include <cmath>
#include <functional>

#include "actforge/expr/language/reference.h"
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

const Expr& only_function(const Network& network) {
  EXPECT_EQ(network.activation_count(), 1U) << network_text(network);
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (network.layer(id).kind->name == "activation") {
      return std::get<Expr>(network.layer(id).attributes[0]);
    }
  }
  throw std::runtime_error("no activation");
}

// The activation of a model, against the same function written in C++.
void expect_function(ModelMaker& maker, const std::function<double(double)>& wanted) {
  const OnnxFile file = maker.read();
  EXPECT_EQ(file.network().layers().size(), 2U) << network_text(file.network());
  const Reference function(only_function(file.network()));
  for (const double x : {-3.5, -1.25, -0.3, 0.2, 0.9, 2.75, 6.5}) {
    EXPECT_NEAR(function.value(x), wanted(x), 2e-6 * (1 + std::fabs(wanted(x)))) << network_text(file.network());
  }
}

struct Attribute {
  const char* name;
  double value;
};
struct SingleCase {
  const char* op;
  std::function<double(double)> wanted;
  std::vector<Attribute> attributes = {};
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double clamp01(double x) { return std::fmax(0, std::fmin(1, x)); }

TEST(OnnxFunction, EveryOperatorAlone) {
  const std::vector<SingleCase> cases = {
      {"Relu", [](double x) { return std::fmax(x, 0); }},
      {"Sigmoid", sigmoid},
      {"Tanh", [](double x) { return std::tanh(x); }},
      {"Erf", [](double x) { return std::erf(x); }},
      {"Exp", [](double x) { return std::exp(x); }},
      {"Abs", [](double x) { return std::fabs(x); }},
      {"Reciprocal", [](double x) { return 1 / x; }},
      {"Softplus", [](double x) { return std::log1p(std::exp(x)); }},
      {"Softsign", [](double x) { return x / (1 + std::fabs(x)); }},
      {"Mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
      {"HardSwish", [](double x) { return x * clamp01(x / 6 + 0.5); }},
      {"Sin", [](double x) { return std::sin(x); }},
      {"Cos", [](double x) { return std::cos(x); }},
      {"Sinh", [](double x) { return std::sinh(x); }},
      {"Cosh", [](double x) { return std::cosh(x); }},
      {"Asinh", [](double x) { return std::asinh(x); }},
      {"Atan", [](double x) { return std::atan(x); }},
      {"Sign", [](double x) { return x < 0 ? -1 : 1; }},
      {"LeakyRelu", [](double x) { return x < 0 ? 0.01 * x : x; }},
      {"LeakyRelu", [](double x) { return x < 0 ? 0.2 * x : x; }, {{"alpha", 0.2}}},
      {"Elu", [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"Elu", [](double x) { return x < 0 ? 2 * std::expm1(x) : x; }, {{"alpha", 2}}},
      {"Celu", [](double x) { return x < 0 ? 2 * std::expm1(x / 2) : x; }, {{"alpha", 2}}},
      {"Selu", [](double x) { return 1.05070098 * (x < 0 ? 1.67326324 * std::expm1(x) : x); }},
      {"Selu", [](double x) { return 3 * (x < 0 ? 2 * std::expm1(x) : x); }, {{"alpha", 2}, {"gamma", 3}}},
      {"HardSigmoid", [](double x) { return clamp01(0.2 * x + 0.5); }},
      {"HardSigmoid", [](double x) { return clamp01(0.25 * x + 0.75); }, {{"alpha", 0.25}, {"beta", 0.75}}},
      {"ThresholdedRelu", [](double x) { return x > 0.5 ? x : 0; }, {{"alpha", 0.5}}},
      {"Gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2))); }},
  };
  for (const SingleCase& one : cases) {
    ModelMaker maker(20);
    maker.node(one.op, {maker.input("x", {0, 3})}, "y");
    for (const Attribute& attribute : one.attributes) maker.with(attribute.name, attribute.value);
    maker.output("y");
    SCOPED_TRACE(one.op);
    expect_function(maker, one.wanted);
  }
}

TEST(OnnxFunction, Swish) {
  ModelMaker maker;
  maker.node("Sigmoid", {maker.input("x", {0, 3})}, "s");
  maker.node("Mul", {"x", "s"}, "y");
  maker.output("y");
  expect_function(maker, [](double x) { return x * sigmoid(x); });
}

TEST(OnnxFunction, GeluByErfAndByTanh) {
  ModelMaker maker;
  maker.node("Div", {maker.input("x", {0, 3}), maker.scalar("root", std::sqrt(2.0F))}, "a");
  maker.node("Erf", {"a"}, "b");
  maker.node("Add", {"b", maker.scalar("one", 1)}, "c");
  maker.node("Mul", {"x", "c"}, "d");
  maker.node("Mul", {"d", maker.scalar("half", 0.5)}, "y");
  maker.output("y");
  expect_function(maker, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2))); });

  ModelMaker tanh_form;
  tanh_form.node("Pow", {tanh_form.input("x", {0, 3}), tanh_form.scalar("three", 3)}, "a");
  tanh_form.node("Mul", {"a", tanh_form.scalar("k", 0.044715F)}, "b");
  tanh_form.node("Add", {"x", "b"}, "c");
  tanh_form.node("Mul", {"c", tanh_form.scalar("f", 0.7978846F)}, "d");
  tanh_form.node("Tanh", {"d"}, "e");
  tanh_form.node("Add", {"e", tanh_form.scalar("one", 1)}, "g");
  tanh_form.node("Mul", {"x", "g"}, "h");
  tanh_form.node("Mul", {"h", tanh_form.scalar("half", 0.5)}, "y");
  tanh_form.output("y");
  expect_function(tanh_form,
                  [](double x) { return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))); });
}

TEST(OnnxFunction, MishByExponentialsAndHardSwishByClip) {
  ModelMaker maker;
  maker.node("Exp", {maker.input("x", {0, 3})}, "e");
  maker.node("Add", {maker.scalar("one", 1), "e"}, "s");
  maker.node("Log", {"s"}, "l");
  maker.node("Tanh", {"l"}, "t");
  maker.node("Mul", {"x", "t"}, "y");
  maker.output("y");
  expect_function(maker, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });

  ModelMaker hard;
  hard.node("Add", {hard.input("x", {0, 3}), hard.scalar("three", 3)}, "a");
  hard.node("Clip", {"a", hard.scalar("low", 0), hard.scalar("high", 6)}, "c");
  hard.node("Mul", {"x", "c"}, "m");
  hard.node("Div", {"m", hard.scalar("six", 6)}, "y");
  hard.output("y");
  expect_function(hard, [](double x) { return x * std::fmax(0, std::fmin(6, x + 3)) / 6; });
}

TEST(OnnxFunction, BoundsOfClipAreAttributesInOldFiles) {
  ModelMaker maker(7);
  maker.node("Clip", {maker.input("x", {0, 3})}, "y");
  maker.with("min", 0.0).with("max", 6.0).output("y");
  expect_function(maker, [](double x) { return std::fmax(0, std::fmin(6, x)); });
}

// What something else needs stays a signal of its own, and the function ends there.
TEST(OnnxFunction, EndsWhereSomethingElseNeedsIt) {
  ModelMaker maker;
  maker.node("Relu", {maker.input("x", {0, 3})}, "r");
  maker.node("Tanh", {"r"}, "t");
  maker.node("MatMul", {"r", maker.weight("w", {3, 3})}, "m");
  maker.node("Add", {"t", "m"}, "y");
  maker.output("y");
  const std::string layers = maker.layers();
  EXPECT_TRUE(contains(layers, "r = activation(x, function=relu(x))")) << layers;
  EXPECT_TRUE(contains(layers, "t = activation(r, function=tanh(x))")) << layers;
  EXPECT_TRUE(contains(layers, "m = dense(r,")) << layers;
}

TEST(OnnxFunction, AResidualIsNotAFunction) {
  ModelMaker maker;
  maker.node("Relu", {maker.input("x", {0, 3})}, "r");
  maker.node("MatMul", {"r", maker.weight("w", {3, 3})}, "m");
  maker.node("Add", {"x", "m"}, "s");
  maker.node("Relu", {"s"}, "y");
  maker.output("y");
  EXPECT_TRUE(contains(maker.layers(), "s = add(x, m)\ny = activation(s, function=relu(x))"));
}

// A search for activation functions must not replace a mere factor.
TEST(OnnxFunction, ALineIsNoActivation) {
  ModelMaker maker;
  maker.node("Mul", {maker.input("x", {0, 3}), maker.scalar("two", 2)}, "a");
  maker.node("Sub", {"a", maker.scalar("one", 1)}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=3)\ny/constant = constant(shape=1, mean=2)\ny/multiply = multiply(x, y/constant)\n"
            "y/constant_2 = constant(shape=1, mean=-1)\ny/add = add(y/multiply, y/constant_2)\nreturn y/add\n");
}

TEST(OnnxFunction, PReluHasAParameterPerChannel) {
  ModelMaker maker;
  maker.node("PRelu", {maker.input("x", {0, 2, 4, 4}), maker.weight("slope", {2, 1, 1}, {0.25F, 0.75F})}, "y");
  maker.output("y");
  const OnnxFile file = maker.read();
  EXPECT_TRUE(contains(maker.layers(), "function=add(relu(x),alpha[0.5](min0(x)))")) << maker.layers();
  EXPECT_EQ(file.values(1, 0), (std::vector<float>{0.25F, 0.75F}));
}

TEST(OnnxFunction, LongChainsAreCut) {
  ModelMaker maker;
  std::string at = maker.input("x", {0, 3});
  for (int i = 0; i < 3000; ++i) {
    const std::string s = maker.node("Sigmoid", {at}, "s" + std::to_string(i));
    at = maker.node("Mul", {at, s}, "m" + std::to_string(i));
  }
  maker.output(at);
  const std::size_t count = maker.read().network().layers().size();
  EXPECT_GT(count, 100U);
  EXPECT_LT(count, 3000U);
}

TEST(OnnxFunction, LayerNormalisationWrittenOut) {
  for (const bool by_product : {false, true}) {
    ModelMaker maker;
    const Shape last = {-1};
    maker.node("ReduceMean", {maker.input("x", {0, 5, 4})}, "mean");
    maker.with("axes", last);
    maker.node("Sub", {"x", "mean"}, "d");
    if (by_product) {
      maker.node("Mul", {"d", "d"}, "sq");
    } else {
      maker.node("Pow", {"d", maker.scalar("two", 2)}, "sq");
    }
    maker.node("ReduceMean", {"sq"}, "var");
    maker.with("axes", last);
    maker.node("Add", {"var", maker.scalar("eps", 1e-5F)}, "sum");
    maker.node("Sqrt", {"sum"}, "root");
    maker.node("Div", {"d", "root"}, "norm");
    maker.node("Mul", {"norm", maker.weight("gain", {4})}, "scaled");
    maker.node("Add", {"scaled", maker.weight("offset", {4})}, "y");
    maker.output("y");
    EXPECT_EQ(maker.layers(), "x = input(shape=5x4, channels_last=true)\ny = layer_norm(x)\nreturn y\n");
    EXPECT_EQ(maker.read().values(1, 1).size(), 4U);
  }
}

}  // namespace
}  // namespace actforge
