// Keras models as graphs: shared layers, models within models, several inputs and outputs, operations; and what is
// refused.
#include "tests/keras/helpers.h"

namespace actforge {
namespace {

const char kDense4[] = R"("units":4)";

TEST(KerasGraphTest, LayersNeedNotBeSorted) {
  for (const bool k3 : {true, false}) {
    const std::string layers = layer("Add", "sum", "", call(tensor("b", 0, 0, k3) + "," + tensor("x", 0, 0, k3), k3)) +
                               "," + layer("Dense", "b", kDense4, call(tensor("a", 0, 0, k3), k3)) + "," +
                               layer("Dense", "a", kDense4, call(tensor("x", 0, 0, k3), k3)) + "," +
                               input("x", "[null,4]");
    // Ends may be flat, lists of lists, or named.
    for (const std::string outputs : {R"(["sum",0,0])", R"([["sum",0,0]])", R"({"o":["sum",0,0]})"}) {
      EXPECT_EQ(lines_of(functional(layers, R"([["x",0,0]])", outputs, k3)),
                "a = dense(x, units=4)\nb = dense(a, units=4)\nsum = add(b, x)\n");
    }
  }
}

TEST(KerasGraphTest, ASecondCallSharesTheWeights) {
  for (const bool k3 : {true, false}) {
    const std::string layers = input("x", "[null,4]") + "," +
                               layer("Dense", "d", R"("units":4,"activation":"relu")",
                                     call(tensor("x", 0, 0, k3), k3) + "," + call(tensor("d", 0, 0, k3), k3));
    const KerasFile file = KerasFile::parse(functional(layers, R"([["x",0,0]])", R"([["d",1,0]])", k3));
    EXPECT_EQ(
        network_text(file.network()),
        "network model\nx = input(shape=4)\nd = dense(x, units=4)\nd/activation = activation(d, function=relu(x))\n"
        "d/call_2 = dense(d/activation, units=4, shares=d)\n"
        "d/call_2/activation = activation(d/call_2, function=relu(x))\nreturn d/call_2/activation\n");
    EXPECT_EQ(file.network().weight_count(), 20);
  }
}

std::string nested_model(bool k3) {
  const std::string inner = functional(
      input("i", "[null,4]") + "," + input("j", "[null,4]") + "," +
          layer("Dense", "d", kDense4, call(tensor("i", 0, 0, k3), k3)) + "," +
          layer("Add", "s", "", call(tensor("d", 0, 0, k3) + "," + tensor("j", 0, 0, k3), k3)),
      R"([["i",0,0],["j",0,0]])", R"([["s",0,0],["d",0,0]])", k3,
      R"(,"name":"inner","inbound_nodes":[)" + call(tensor("a", 0, 0, k3) + "," + tensor("b", 0, 0, k3), k3) + "," +
          call(tensor("b", 0, 0, k3) + "," + tensor("a", 0, 0, k3), k3) + "]");
  return functional(input("a", "[null,4]") + "," + input("b", "[null,4]") + "," + inner, R"([["a",0,0],["b",0,0]])",
                    R"([["inner",1,0],["inner",2,0],["inner",2,1]])", k3);
}

TEST(KerasGraphTest, AModelIsOpenedAtEachCall) {
  for (const bool k3 : {true, false}) {
    const KerasFile file = KerasFile::parse(nested_model(k3));
    EXPECT_EQ(network_text(file.network()),
              "network model\na = input(shape=4)\nb = input(shape=4)\ninner/d = dense(a, units=4)\n"
              "inner/s = add(inner/d, b)\ninner/call_2/d = dense(b, units=4, shares=inner/d)\n"
              "inner/call_2/s = add(inner/call_2/d, a)\nreturn inner/s, inner/call_2/s, inner/call_2/d\n");
  }
}

// A sequence of one layer, as a model within a model; `layers` is the list of its layers.
std::string with_sequence(const std::string& layers, const std::string& calls, const std::string& output, bool k3) {
  return functional(input("x", "[null,4]") +
                        R"(,{"class_name":"Sequential","name":"s","config":{"name":"s","layers":[)" + layers +
                        R"(]},"inbound_nodes":[)" + calls + "]}",
                    R"([["x",0,0]])", output, k3);
}

TEST(KerasGraphTest, CallsOfASequenceAreCountedFromItsConstruction) {
  const std::string dense = R"({"class_name":"Dense","config":{"name":"d","units":4,"batch_input_shape":[null,4]}})";
  const std::string built =
      R"({"class_name":"InputLayer","config":{"name":"i","batch_input_shape":[null,4]}},)" + dense;
  const char kTwice[] = "s/d = dense(x, units=4)\ns/call_2/d = dense(s/d, units=4, shares=s/d)\n";
  const auto calls = [](int first, bool k3) {
    return call(tensor("x", 0, 0, k3), k3) + "," + call(tensor("s", first, 0, k3), k3);
  };
  // Keras 2 counts its construction if it had a shape then, and lists its input since 2.3.
  EXPECT_EQ(lines_of(with_sequence(built, calls(1, false), R"([["s",2,0]])", false)), kTwice);
  EXPECT_EQ(lines_of(with_sequence(dense, calls(1, false), R"([["s",2,0]])", false)), kTwice);
  EXPECT_EQ(lines_of(with_sequence(dense, calls(0, false), R"([["s",1,0]])", false)), kTwice);
  const std::string dense3 = R"({"class_name":"Dense","config":{"name":"d","units":4}})";
  const std::string built3 = R"({"class_name":"InputLayer","config":{"name":"i","batch_shape":[null,4]}},)" + dense3;
  EXPECT_EQ(lines_of(with_sequence(built3, calls(0, true), R"([["s",1,0]])", true)), kTwice);
}

TEST(KerasGraphTest, WhatLeadsNowhereIsLeftOut) {
  const std::string layers = input("x", "[null,4]") + "," +
                             layer("Dense", "d", kDense4, call(tensor("x", 0, 0, true), true)) + "," +
                             layer("Dense", "unused", kDense4, call(tensor("x", 0, 0, true), true));
  const KerasFile file = KerasFile::parse(functional(layers, R"([["x",0,0]])", R"([["d",0,0]])", true));
  EXPECT_EQ(file.network().layers().size(), 2u);
  EXPECT_EQ(file.notes().size(), 1u);
}

std::string operation(const std::string& shape, const std::string& layer_json) {
  return functional(input("x", shape) + "," + layer_json, R"([["x",0,0]])", R"([["it",0,0]])", true);
}

TEST(KerasGraphTest, OperationsOfKeras3) {
  const auto lines = [](const std::string& shape, const std::string& name, const std::string& settings,
                        const std::string& rest) {
    const std::string node = R"({"args":[)" + tensor("x", 0, 0, true) + rest + R"(],"kwargs":{}})";
    return lines_of(operation(shape, layer(name, "it", settings, node)));
  };
  EXPECT_EQ(lines("[null,4]", "Multiply", "", ",2.5"), "it = activation(x, function=mul(2.5,x))\n");
  EXPECT_EQ(lines("[null,4]", "Subtract", "", ",1"), "it = activation(x, function=sub(x,1))\n");
  EXPECT_EQ(lines("[null,4]", "Power", "", ",2"), "it = activation(x, function=pow(x,2))\n");
  EXPECT_EQ(lines("[null,4,5,2]", "Mean", R"("axis":[1,2],"keepdims":false)", ""), "it = reduce_mean(x, axes=1x2)\n");
  EXPECT_EQ(lines("[null,4,5,2]", "Sum", R"("axis":-1,"keepdims":true)", ""),
            "it = reduce_sum(x, axes=0, keep=true)\n");
  EXPECT_EQ(lines("[null,4]", "Relu", "", ""), "it = activation(x, function=relu(x))\n");
  EXPECT_EQ(lines("[null,4,3]", "ExpandDims", R"("axis":1)", ""), "it = reshape(x, shape=1x4x3)\n");
  EXPECT_EQ(lines("[null,1,3]", "Squeeze", R"("axis":1)", ""), "it = reshape(x, shape=3)\n");
  EXPECT_EQ(
      lines("[null,6,3]", "GetItem", "",
            R"(,[{"class_name":"__slice__","config":{}},{"class_name":"__slice__","config":{"start":1,"stop":-1}}])"),
      "it/slice = slice(x, axis=0, begin=1, length=4)\n");
  EXPECT_EQ(lines("[null,4,3]", "Transpose", R"("axes":[0,2,1])", ""), "it = permute(x, order=1x0)\n");
}

TEST(KerasGraphTest, FunctionsOfTensorflowInKeras2) {
  const auto lines = [](const std::string& function, const std::string& node) {
    return lines_of(functional(
        input("x", "[null,4,4]") + "," + layer("TFOpLambda", "it", R"("function":")" + function + "\"", node),
        R"([["x",0,0]])", R"([["it",0,0]])", false));
  };
  EXPECT_EQ(lines("math.multiply", R"(["x",0,0,{"y":2.0,"name":null}])"), "it = activation(x, function=mul(2,x))\n");
  EXPECT_EQ(lines("math.subtract", R"(["_CONSTANT_VALUE",-1,1.0,{"y":["x",0,0]}])"),
            "it = activation(x, function=sub(1,x))\n");
  EXPECT_EQ(lines("math.add", R"(["x",0,0,{"y":["x",0,0]}])"), "it = add(x, x)\n");
  EXPECT_EQ(lines("linalg.matmul", R"(["x",0,0,{"b":["x",0,0],"transpose_b":true}])"),
            "it = matmul(x, x, transpose_b=true)\n");
  EXPECT_EQ(lines("math.reduce_mean", R"(["x",0,0,{"axis":1}])"), "it = reduce_mean(x, axes=0)\n");
  EXPECT_EQ(lines("nn.silu", R"(["x",0,0,{}])"), "it = activation(x, function=swish(x))\n");
  const std::string all = R"({"start":null,"stop":null,"step":null})";
  EXPECT_EQ(lines("__operators__.getitem", R"(["x",0,0,{"slice_spec":[)" + all + "," + all + ",1]}]"),
            "it/slice = slice(x, axis=1, begin=1, length=1)\nit = reshape(it/slice, shape=4)\n");
  EXPECT_EQ(lines("signal.fft", R"(["x",0,0,{}])"), "it = opaque(x, type=signal.fft, shape=4x4, channels=1)\n");
}

TEST(KerasGraphTest, TheShapeOfAnUnknownLayerIsTakenFromWhatUsesIt) {
  const std::string told =
      R"({"class_name":"__keras_tensor__","config":{"shape":[null,7,3],"keras_history":["it",0,0]}})";
  const std::string json =
      functional(input("x", "[null,4]") + "," + layer("Mystery", "it", "", call(tensor("x", 0, 0, true), true)) + "," +
                     layer("Dense", "d", kDense4, R"({"args":[)" + told + R"(],"kwargs":{}})"),
                 R"([["x",0,0]])", R"([["d",0,0]])", true);
  EXPECT_EQ(lines_of(json), "it = opaque(x, type=Mystery, shape=7x3, channels=-1)\nd = dense(it, units=4)\n");
}

TEST(KerasGraphTest, TensorsOfOtherAxesAreTurned) {
  // A sequence that went through a convolution has its channels first; the input has them last.
  const std::string json =
      functional(input("x", "[null,6,4]") + "," +
                     layer("Conv1D", "c", R"("filters":4,"kernel_size":1)", call(tensor("x", 0, 0, true), true)) + "," +
                     layer("Concatenate", "it", R"("axis":1)",
                           call(tensor("x", 0, 0, true) + "," + tensor("c", 0, 0, true), true)),
                 R"([["x",0,0]])", R"([["it",0,0]])", true);
  EXPECT_EQ(lines_of(json),
            "x/first = permute(x, order=1x0)\nc = conv(x/first, filters=4, kernel=1)\nc/last = permute(c, order=1x0)\n"
            "it = concatenate(x, c/last, axis=0)\n");
}

// ---- what is refused

std::string said(const std::string& json) {
  return refusal([&] { KerasFile::parse(json); });
}

TEST(KerasRefusalTest, NamesTheLayer) {
  const auto graph = [](const std::string& layers) {
    return functional(input("x", "[null,4]") + "," + layers, R"([["x",0,0]])", R"([["d",0,0]])", true);
  };
  const std::string x = call(tensor("x", 0, 0, true), true);
  EXPECT_TRUE(
      contains(said(graph(layer("Dense", "d", R"("units":"many")", x))), "layer 'd' (Dense): 'units' should be"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", "", x))), "layer 'd' (Dense): 'units' is missing"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", R"("units":-3)", x))), "layer 'd'"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", R"("units":99999999999999999999)", x))), "layer 'd'"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", kDense4, call(tensor("y", 0, 0, true), true)))), "layer 'd'"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", kDense4, call(tensor("x", 5, 0, true), true)))), "layer 'd'"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", kDense4, call(tensor("x", 0, 3, true), true)))), "no output 3"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", kDense4, call(tensor("d", 0, 0, true), true)))), "'d'"));
  EXPECT_TRUE(contains(said(graph(layer("Dense", "d", kDense4, x) + "," + layer("Dense", "d", kDense4, x))),
                       "two layers named 'd'"));
  EXPECT_TRUE(
      contains(said(graph(layer("Conv2D", "d", R"("filters":1,"kernel_size":3,"strides":0)", x))), "layer 'd'"));
  EXPECT_TRUE(contains(said(graph(layer("LSTM", "d", R"("units":3)", x))), "layer 'd'"));
  EXPECT_TRUE(
      contains(said(one_layer("[null,8,8,1]", "Conv2D", R"("filters":1,"kernel_size":3,"strides":0)")), "'it'"));
  EXPECT_TRUE(contains(said(one_layer("[null,8]", "Reshape", R"("target_shape":[3,3])")), "layer 'it'"));
}

TEST(KerasRefusalTest, CallsOfAModelThatAreNotThere) {
  const auto outer = [](const std::string& outputs, bool k3) {
    const std::string inner = functional(
        input("i", "[null,4]") + "," + layer("Dense", "d", kDense4, call(tensor("i", 0, 0, k3), k3)), R"([["i",0,0]])",
        R"([["d",0,0]])", k3, R"(,"name":"inner","inbound_nodes":[)" + call(tensor("x", 0, 0, k3), k3) + "]");
    return functional(input("x", "[null,4]") + "," + inner, R"([["x",0,0]])", outputs, k3);
  };
  for (const bool k3 : {true, false}) {
    EXPECT_NO_THROW(KerasFile::parse(outer(R"([["inner",1,0]])", k3)));
    const std::string expected = "of the layer 'inner', which is called 1 time(s), counted from 1";
    EXPECT_TRUE(contains(said(outer(R"([["inner",0,0]])", k3)), "it takes call 0, output 0 " + expected));
    EXPECT_TRUE(contains(said(outer(R"([["inner",2,0]])", k3)), "it takes call 2, output 0 " + expected));
  }
}

TEST(KerasRefusalTest, Circles) {
  const std::string layers =
      input("x", "[null,4]") + "," +
      layer("Add", "a", "", call(tensor("x", 0, 0, true) + "," + tensor("b", 0, 0, true), true)) + "," +
      layer("Dense", "b", kDense4, call(tensor("a", 0, 0, true), true));
  EXPECT_TRUE(contains(said(functional(layers, R"([["x",0,0]])", R"([["b",0,0]])", true)), "cycle"));
}

TEST(KerasRefusalTest, WrongTypesAnywhere) {
  for (const char* json :
       {"", "[]", "3", "{}", R"({"class_name":3,"config":{}})", R"({"class_name":"Sequential"})",
        R"({"class_name":"Sequential","config":3})", R"({"class_name":"Sequential","config":{"layers":{}}})",
        R"({"class_name":"Sequential","config":{"layers":[]}})",
        R"({"class_name":"Sequential","config":{"layers":[3]}})",
        R"({"class_name":"Sequential","config":{"layers":[{"class_name":"Dense","config":{"units":3}}]}})",
        R"({"class_name":"Sequential","config":{"layers":[{"class_name":"Dense","config":[]}]}})",
        R"({"class_name":"Functional","config":[]})", R"({"class_name":"Functional","config":{"layers":[]}})",
        R"({"class_name":"Functional","config":{"layers":[],"input_layers":[],"output_layers":[]}})",
        R"({"class_name":"Functional","config":{"layers":[],"input_layers":3,"output_layers":[]}})",
        R"({"class_name":"Mine","config":{"layers":[]}})"}) {
    EXPECT_FALSE(said(json).empty()) << json;
  }
}

TEST(KerasRefusalTest, DeepNestingAndHugeFiles) {
  std::string deep = one_layer("[null,4]", "Dense", kDense4);
  for (int i = 0; i < 40; ++i) {
    deep = R"({"class_name":"Sequential","config":{"name":"m","layers":[)" + deep + "]}}";
  }
  EXPECT_TRUE(contains(said(deep), "deep"));
  EXPECT_TRUE(contains(said(std::string(100000, '[')), "deep"));
  // Each model calls the one within it twice: few lines, 2^20 layers.
  std::string doubled = R"({"class_name":"Functional","config":{"name":"m0","layers":[)" + input("i", "[null,4]") +
                        "," + layer("Dense", "d", kDense4, call(tensor("i", 0, 0, true), true)) +
                        R"(],"input_layers":[["i",0,0]],"output_layers":[["d",0,0]]})";
  for (int i = 0; i < 20; ++i) {
    doubled = R"({"module":"keras","class_name":"Functional","config":{"name":"m","layers":[)" +
              input("i", "[null,4]") + "," + doubled + R"(,"name":"n","inbound_nodes":[)" +
              call(tensor("i", 0, 0, true), true) + "," + call(tensor("n", 0, 0, true), true) +
              R"(]}],"input_layers":[["i",0,0]],"output_layers":[["n",2,0]]})";
  }
  EXPECT_TRUE(contains(said(doubled + "}"), "at most"));
}

TEST(KerasGraphTest, ManyLayersTakeLinearTime) {
  std::string layers = input("l0", "[null,4]");
  constexpr int kLayers = 20000;
  for (int i = kLayers; i > 0; --i) {
    layers +=
        "," + layer("ReLU", "l" + std::to_string(i), "", call(tensor("l" + std::to_string(i - 1), 0, 0, true), true));
  }
  const KerasFile file =
      KerasFile::parse(functional(layers, R"([["l0",0,0]])", R"([["l)" + std::to_string(kLayers) + R"(",0,0]])", true));
  EXPECT_EQ(file.network().layers().size(), kLayers + 1u);
}

TEST(KerasGraphTest, IsKerasJson) {
  EXPECT_TRUE(is_keras_json(R"({"class_name":"Sequential","config":{"layers":[]}})"));
  EXPECT_TRUE(is_keras_json(R"({"module":"keras","class_name":"Functional","config":{"layers":[]},"x":)"));
  EXPECT_FALSE(is_keras_json(R"({"name":"n","layers":[],"outputs":[]})"));
  EXPECT_FALSE(is_keras_json(R"([{"class_name":1,"config":2}])"));
  EXPECT_FALSE(is_keras_json(R"({"a":{"class_name":1,"config":2}})"));
  EXPECT_FALSE(is_keras_json("network tiny\n"));
  EXPECT_FALSE(is_keras_json(""));
}

}  // namespace
}  // namespace actforge
