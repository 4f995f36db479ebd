// Nodes with weights, normalisations, poolings: what layers they become, and where their numbers are.
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

float at(const std::vector<float>& values, std::size_t i) { return i < values.size() ? values[i] : -1; }

TEST(OnnxLayers, ConvolutionWithEverySetting) {
  ModelMaker maker;
  maker.node("Conv", {maker.input("x", {0, 4, 9, 8}), maker.weight("w", {6, 2, 3, 2}), maker.weight("b", {6})}, "y");
  maker.with("group", 2)
      .with("strides", std::vector<std::int64_t>{2, 1})
      .with("dilations", std::vector<std::int64_t>{1, 2});
  maker.with("pads", std::vector<std::int64_t>{1, 0, 2, 1}).output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=4x9x8)\n"
            "y = conv(x, filters=6, kernel=3x2, stride=2x1, dilation=1x2, groups=2, padding=1:2x0:1)\n"
            "return y\n");
  const OnnxFile file = maker.read();
  EXPECT_EQ(file.network().layer(1).output.shape, (Shape{6, 5, 7}));
  EXPECT_EQ(file.values(1, 0).size(), 72U);
  EXPECT_FLOAT_EQ(at(file.values(1, 1), 5), 0.06F);
  EXPECT_TRUE(file.notes().empty());
}

TEST(OnnxLayers, AutomaticPadding) {
  for (const auto& [word, setting] :
       {std::pair{"SAME_UPPER", ", padding=0:1"}, {"SAME_LOWER", ", padding=1:0"}, {"VALID", ""}}) {
    ModelMaker maker(9);
    maker.node("Conv", {maker.input("x", {0, 1, 8}), maker.weight("w", {2, 1, 2})}, "y");
    maker.with("auto_pad", word).output("y");
    EXPECT_TRUE(contains(maker.layers(), "conv(x, filters=2, kernel=2" + std::string(setting) + ", bias=false)"));
  }
}

TEST(OnnxLayers, TransposedConvolution) {
  ModelMaker maker;
  maker.node("ConvTranspose", {maker.input("x", {0, 4, 5, 5}), maker.weight("w", {4, 3, 3, 3})}, "y");
  maker.with("strides", std::vector<std::int64_t>{2, 2}).with("pads", std::vector<std::int64_t>{1, 1, 1, 1});
  maker.with("output_padding", std::vector<std::int64_t>{1, 1}).output("y");
  const Layer layer = maker.read().network().layer(1);
  EXPECT_EQ(layer.kind->name, "transposed_conv");
  EXPECT_EQ(layer.output.shape, (Shape{3, 10, 10}));

  ModelMaker same;
  same.node("ConvTranspose", {same.input("x", {0, 4, 5}), same.weight("w", {4, 3, 4})}, "y");
  same.with("strides", std::vector<std::int64_t>{2}).with("auto_pad", "SAME_UPPER").output("y");
  EXPECT_EQ(same.read().network().layer(1).output.shape, (Shape{3, 10}));
}

TEST(OnnxLayers, GemmInEveryOrientation) {
  for (const int transposed : {0, 1}) {
    ModelMaker maker;
    maker.node("Gemm",
               {maker.input("x", {0, 3}), maker.weight("w", transposed != 0 ? Shape{2, 3} : Shape{3, 2}),
                maker.weight("b", {2})},
               "y");
    maker.with("transB", transposed).with("alpha", 2.0).with("beta", 0.5).output("y");
    const OnnxFile file = maker.read();
    EXPECT_EQ(maker.layers(), "x = input(shape=3)\ny = dense(x, units=2)\nreturn y\n");
    // The kernel has a row per unit. In the file 0.01 ... 0.06, by rows.
    EXPECT_FLOAT_EQ(at(file.values(1, 0), 1), 2 * (transposed != 0 ? 0.02F : 0.03F));
    EXPECT_FLOAT_EQ(at(file.values(1, 1), 1), 0.5F * 0.02F);
  }
}

TEST(OnnxLayers, AProductOfMatricesTakesItsBias) {
  ModelMaker maker;
  maker.node("MatMul", {maker.input("x", {0, 5, 3}), maker.weight("w", {3, 2})}, "product");
  maker.node("Add", {maker.weight("b", {2}), "product"}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(), "x = input(shape=5x3, channels_last=true)\nproduct = dense(x, units=2)\nreturn product\n");
  EXPECT_FLOAT_EQ(at(maker.read().values(1, 1), 1), 0.02F);
}

TEST(OnnxLayers, AProductThatIsUsedTwiceDoesNot) {
  ModelMaker maker;
  maker.node("MatMul", {maker.input("x", {0, 3}), maker.weight("w", {3, 2})}, "product");
  maker.node("Add", {"product", maker.weight("b", {2})}, "y");
  maker.output("y");
  maker.output("product");
  EXPECT_TRUE(contains(maker.layers(), "product = dense(x, units=2, bias=false)"));
  EXPECT_TRUE(contains(maker.layers(), "constant(shape=2"));
}

TEST(OnnxLayers, ATransposedConstantIsReadByColumns) {
  ModelMaker maker;
  maker.node("Transpose", {maker.weight("w", {2, 3})}, "turned");
  maker.with("perm", std::vector<std::int64_t>{1, 0});
  maker.node("MatMul", {maker.input("x", {0, 3}), "turned"}, "y");
  maker.output("y");
  EXPECT_FLOAT_EQ(at(maker.read().values(1, 0), 1), 0.02F);
}

TEST(OnnxLayers, SignalsMultiplyAndTheNextFactorIsTheirScale) {
  ModelMaker maker;
  maker.input("a", {0, 4, 3});
  maker.input("b", {0, 3, 5});
  maker.node("MatMul", {"a", "b"}, "product");
  maker.node("Div", {"product", maker.scalar("root", 8)}, "scaled");
  maker.node("Softmax", {"scaled"}, "y");
  maker.output("y");
  EXPECT_TRUE(contains(maker.layers(), "product = matmul(a, b, scale=0.125)\ny = softmax(product, axis=1)"));
}

TEST(OnnxLayers, EmbeddingsTakeIndices) {
  ModelMaker maker;
  maker.node("Gather", {maker.weight("table", {10, 4}), maker.input("x", {0, 6}, onnx::TensorProto::INT64)}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(), "x = input(shape=6, indices=true)\ny = embedding(x, vocabulary=10, units=4)\nreturn y\n");
}

TEST(OnnxLayers, SharedWeights) {
  ModelMaker maker;
  maker.weight("w", {3, 3});
  maker.node("MatMul", {maker.input("x", {0, 3}), "w"}, "once");
  maker.node("Relu", {"once"}, "between");
  maker.node("MatMul", {"between", "w"}, "twice");
  maker.output("twice");
  EXPECT_TRUE(contains(maker.layers(), "twice = dense(between, units=3, bias=false, shares=once)"));
}

// Exporters write equal tensors once and give them further names: the layers learn different numbers.
TEST(OnnxLayers, EqualTensorsAreNotShared) {
  ModelMaker maker;
  maker.weight("w", {3, 3});
  maker.node("Identity", {"w"}, "v");
  maker.node("MatMul", {maker.input("x", {0, 3}), "w"}, "once");
  maker.node("Relu", {"once"}, "between");
  maker.node("MatMul", {"between", "v"}, "twice");
  maker.output("twice");
  EXPECT_FALSE(contains(maker.layers(), "shares"));
  const OnnxFile file = maker.read();
  ASSERT_EQ(file.notes().size(), 1U);
  EXPECT_TRUE(contains(file.notes()[0], "only once"));
}

TEST(OnnxLayers, RecurrentLayers) {
  struct Case {
    const char *op, *kind;
    std::int64_t gates;
  };
  for (const auto& [op, kind, gates] : {Case{"LSTM", "lstm", 4}, {"GRU", "gru", 3}, {"RNN", "simple_rnn", 1}}) {
    ModelMaker maker;
    maker.input("x", {7, 0, 5});
    maker.weight("w", {1, gates * 2, 5});
    maker.weight("r", {1, gates * 2, 2});
    maker.weight("b", {1, 2 * gates * 2});
    maker.node(op, {"x", "w", "r", "b"}, Names{"y", "last"});
    maker.with("hidden_size", 2).with("linear_before_reset", 1);
    maker.node("Squeeze", {"last", maker.integers("zero", {0})}, "state");
    maker.output("state");
    const OnnxFile file = maker.read();
    EXPECT_EQ(maker.layers(),
              "x = input(shape=7x5, channels_last=true)\ny = " + std::string(kind) + "(x, units=2)\nreturn y\n");
    EXPECT_EQ(file.values(1, 0).size(), static_cast<std::size_t>(gates * 10));
    if (gates != 4) continue;
    // i o f c in the file, i f g o here: the second gate is the file's third.
    EXPECT_FLOAT_EQ(at(file.values(1, 0), 10), 0.01F * 21);
    EXPECT_FLOAT_EQ(at(file.values(1, 2), 2), 0.01F * (5 + 13));
  }
}

TEST(OnnxLayers, RecurrentLayersThatAreNotTheUsualOnes) {
  ModelMaker maker;
  maker.input("x", {7, 0, 5});
  maker.weight("w", {2, 8, 5});
  maker.weight("r", {2, 8, 2});
  maker.node("LSTM", {"x", "w", "r"}, "y");
  maker.with("hidden_size", 2).with("direction", "bidirectional");
  ModelMaker::declare(*maker.graph().add_output(), "y", {7, 2, 0, 2});
  EXPECT_TRUE(contains(maker.layers(), "y = opaque(x, type=LSTM, shape=7x2x2"));
}

TEST(OnnxLayers, Normalisations) {
  ModelMaker maker(17);
  for (const char* name : {"s", "b", "m", "v"}) maker.weight(name, {4});
  maker.node("BatchNormalization", {maker.input("x", {0, 4, 6}), "s", "b", "m", "v"}, "batch");
  maker.with("epsilon", 0.001).with("momentum", 0.99);
  maker.node("InstanceNormalization", {"batch", "s", "b"}, "instance");
  maker.node("LayerNormalization", {"instance", maker.weight("g", {6}), maker.weight("o", {6})}, "y");
  maker.output("y");
  const std::string layers = maker.layers();
  EXPECT_TRUE(contains(layers, "batch = batch_norm(x, epsilon=0.001, momentum=0.01")) << layers;
  EXPECT_TRUE(contains(layers, "instance = group_norm(batch, groups=4)")) << layers;
  EXPECT_TRUE(contains(layers, "y = layer_norm(")) << layers;

  ModelMaker groups(21);
  groups.node("GroupNormalization", {groups.input("x", {0, 4, 6}), groups.weight("g", {4}), groups.weight("o", {4})},
              "y");
  groups.with("num_groups", 2).output("y");
  EXPECT_TRUE(contains(groups.layers(), "y = group_norm(x, groups=2)"));
}

TEST(OnnxLayers, Pooling) {
  ModelMaker maker;
  maker.node("MaxPool", {maker.input("x", {0, 4, 12, 12})}, "max");
  maker.with("kernel_shape", std::vector<std::int64_t>{3, 3})
      .with("strides", std::vector<std::int64_t>{2, 2})
      .with("ceil_mode", 1);
  maker.node("AveragePool", {"max"}, "mean");
  maker.with("kernel_shape", std::vector<std::int64_t>{3, 3})
      .with("pads", std::vector<std::int64_t>{1, 1, 1, 1})
      .with("count_include_pad", 1);
  maker.node("GlobalAveragePool", {"mean"}, "all");
  maker.node("Flatten", {"all"}, "y");
  maker.output("y");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=4x12x12)\n"
            "max = max_pool(x, size=3x3, stride=2x2, padding=0:1x0:1)\n"
            "mean/padding = zero_padding(max, padding=1x1)\n"
            "mean = average_pool(mean/padding, size=3x3, stride=1x1)\n"
            "all = global_average_pool(mean)\n"
            "return all\n");
}

TEST(OnnxLayers, DropoutKeepsItsRate) {
  ModelMaker maker;
  maker.node("Dropout", {maker.input("x", {0, 3}), maker.scalar("rate", 0.25)}, Names{"y"});
  maker.output("y");
  EXPECT_TRUE(contains(maker.layers(), "y = dropout(x, rate=0.25)"));
}

TEST(OnnxLayers, WhatIsNotKnownIsOpaque) {
  ModelMaker maker;
  maker.node("Floor", {maker.input("x", {0, 3})}, "a");
  maker.node("FancyOp", {"a"}, "b");
  maker.last->set_domain("com.microsoft");
  maker.output("b");
  EXPECT_EQ(maker.layers(),
            "x = input(shape=3)\na = opaque(x, type=Floor, shape=3)\nb = opaque(a, type=FancyOp, shape=3)\nreturn b\n");
  EXPECT_EQ(maker.read().notes().size(), 2U);
}

// Weights that are stored as whole numbers: the layer is known, its numbers are not.
TEST(OnnxLayers, ConstantsThatNobodyComputes) {
  ModelMaker maker;
  maker.weight("stored", {3, 3, 2, 4});
  maker.node("DequantizeLinear", {"stored", maker.scalar("scale", 0.1F)}, "real");
  maker.node("Transpose", {"real"}, "w");
  maker.with("perm", std::vector<std::int64_t>{3, 2, 0, 1});
  maker.node("Conv", {maker.input("x", {0, 2, 8, 8}), "w"}, "y");
  maker.output("y");
  const OnnxFile file = maker.read();
  EXPECT_TRUE(contains(maker.layers(), "y = conv(x, filters=4, kernel=3x3")) << maker.layers();
  EXPECT_TRUE(file.values(1, 0).empty());
  ASSERT_EQ(file.notes().size(), 2U);
  EXPECT_TRUE(contains(file.notes()[0], "(DequantizeLinear): its numbers are not computed here"));
  EXPECT_TRUE(contains(file.notes()[1], "node 'y' (Conv): its weights are no floats of the file"));
}

TEST(OnnxLayers, WhatATransposedConvolutionCutsFromTheEndAlone) {
  ModelMaker maker;
  maker.node("ConvTranspose", {maker.input("x", {0, 4, 5}), maker.weight("w", {4, 3, 3})}, "y");
  maker.with("strides", std::vector<std::int64_t>{2}).with("pads", std::vector<std::int64_t>{0, 1}).output("y");
  EXPECT_TRUE(contains(maker.layers(), "y/cropping = cropping(y, margin=0:1)")) << maker.layers();
  EXPECT_EQ(maker.read().network().layer(2).output.shape, (Shape{3, 10}));
}

TEST(OnnxLayers, NodesWithGraphsInsideAreOpaque) {
  ModelMaker maker;
  maker.input("x", {0, 3});
  maker.input("c", {}, onnx::TensorProto::BOOL);
  maker.node("Relu", {"x"}, "a");
  maker.node("If", {"c"}, "b");
  onnx::AttributeProto& branch = *maker.last->add_attribute();
  branch.set_name("then_branch");
  branch.set_type(onnx::AttributeProto::GRAPH);
  onnx::NodeProto& inner = *branch.mutable_g()->add_node();
  inner.set_op_type("Neg");
  inner.add_input("a");
  inner.add_output("inner");
  branch.mutable_g()->add_output()->set_name("inner");
  ModelMaker::declare(*maker.graph().add_output(), "b", {0, 3});
  EXPECT_TRUE(contains(maker.layers(), "b = opaque(c, a, type=If, shape=3")) << maker.layers();
}

}  // namespace
}  // namespace actforge
