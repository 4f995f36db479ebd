// The weights of a file by their names in it, and what their names give away.
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

const NamedTensor* find(const std::vector<NamedTensor>& tensors, const std::string& name) {
  for (const NamedTensor& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

TEST(OnnxTensors, AreThoseOfTheFileInItsNamesAndOrder) {
  ModelMaker maker;
  maker.node("Gemm", {maker.input("x", {0, 3}), maker.weight("fc.weight", {2, 3}), maker.weight("fc.bias", {2})}, "s");
  maker.with("transB", 1);
  maker.node("Mul", {"s", maker.weight("gain", {1, 2}, {5, 6})}, "m");
  maker.node("Reshape", {"m", maker.integers("shape", {-1, 2})}, "y");
  maker.output("y");
  const std::vector<float> kernel = {1, 2, 3, 4, 5, 6};
  const std::vector<NamedTensor> tensors = maker.read().tensors(
      [&](LayerId layer, std::size_t weight) { return layer == 1 && weight == 0 ? kernel : std::vector<float>(); });
  ASSERT_NE(find(tensors, "fc.weight"), nullptr);
  EXPECT_EQ(find(tensors, "fc.weight")->values, kernel);  // an output per row, as PyTorch has it
  EXPECT_EQ(find(tensors, "fc.weight")->shape, (Shape{2, 3}));
  ASSERT_NE(find(tensors, "fc.bias"), nullptr);
  EXPECT_EQ(find(tensors, "fc.bias")->values, (std::vector<float>{0.01F, 0.02F}));  // the file's own
  EXPECT_NE(find(tensors, "gain"), nullptr);
  EXPECT_EQ(find(tensors, "shape"), nullptr);  // whole numbers
}

TEST(OnnxTensors, ConstantNodesOfWeightsHaveTheNamesOfTheirOutputs) {
  ModelMaker maker;
  maker.node("Constant", Names{}, "kernel");
  onnx::AttributeProto& value = *maker.last->add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  value.mutable_t()->add_dims(3);
  value.mutable_t()->add_dims(2);
  for (int i = 0; i < 6; ++i) value.mutable_t()->add_float_data(1);
  maker.node("MatMul", {maker.input("x", {0, 3}), "kernel"}, "y");
  maker.output("y");
  const std::vector<NamedTensor> tensors =
      maker.read().tensors([](LayerId, std::size_t) { return std::vector<float>{1, 2, 3, 4, 5, 6}; });
  ASSERT_EQ(tensors.size(), 1u);
  EXPECT_EQ(tensors[0].name, "kernel");
  EXPECT_EQ(tensors[0].values, (std::vector<float>{1, 4, 2, 5, 3, 6}));  // as the file has it
}

struct Convolutions {
  std::string kernel = "onnx::Conv_20", bias = "onnx::Conv_21";
  bool has_bias = true, has_norm = false;
  std::string output = "conv";
};

std::vector<std::string> warnings_of(const Convolutions& how) {
  ModelMaker maker;
  std::string signal = maker.input("x", {0, 3, 8, 8});
  for (int i = 0; i < 2; ++i) {
    const std::string number = i == 0 ? "" : "3";
    Names inputs = {signal, maker.weight(how.kernel + number, {3, 3, 3, 3})};
    if (how.has_bias) inputs.push_back(maker.weight(how.bias.empty() ? inputs[1] + "_bias" : how.bias + number, {3}));
    signal = maker.node("Conv", inputs, how.output + std::to_string(i));
  }
  if (how.has_norm) {
    Names inputs = {signal};
    for (const char* name : {"scale", "shift", "mean", "variance"}) inputs.push_back(maker.weight(name, {3}));
    signal = maker.node("BatchNormalization", inputs, "norm");
  }
  maker.output(signal);
  return maker.read().warnings();
}

TEST(OnnxWarnings, FoldedBatchNormalisationIsNamedWithTheCallThatKeepsIt) {
  // PyTorch before and after 1.12, its newer exporter, tf2onnx.
  for (const Convolutions& how :
       {Convolutions{}, Convolutions{.kernel = "20", .bias = "21"}, Convolutions{.kernel = "conv.weight", .bias = ""},
        Convolutions{.kernel = "model/conv_weights_fused_bn", .bias = "model/b"}}) {
    const std::vector<std::string> warnings = warnings_of(how);
    ASSERT_EQ(warnings.size(), 1u) << how.kernel;
    EXPECT_NE(warnings[0].find("TrainingMode.PRESERVE"), std::string::npos);
    EXPECT_NE(warnings[0].find("'" + how.kernel + "'"), std::string::npos) << warnings[0];
  }
}

TEST(OnnxWarnings, FoldedBatchNormalisationIsSeenWithoutABiasToo) {
  EXPECT_EQ(warnings_of({.kernel = "conv.weight", .has_bias = false, .output = "getitem_"}).size(), 1u);
  EXPECT_TRUE(warnings_of({.kernel = "conv.weight", .has_bias = false, .output = "conv2d_"}).empty());
}

TEST(OnnxWarnings, NothingIsSaidOfNetworksThatHaveTheirNormalisationOrNeverHadOne) {
  EXPECT_TRUE(warnings_of({.has_norm = true}).empty());
  EXPECT_TRUE(warnings_of({.kernel = "w", .has_bias = false}).empty());
  EXPECT_TRUE(warnings_of({.kernel = "conv.weight", .bias = "conv.bias"}).empty());
  EXPECT_TRUE(warnings_of({.kernel = "conv2d/kernel", .bias = "conv2d/bias"}).empty());
}

}  // namespace
}  // namespace actforge
