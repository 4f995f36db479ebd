// Each row of the table of Keras layers, as the lines of the network that it becomes.
#include <nlohmann/json.hpp>

#include "actforge/keras/call.h"
#include "tests/keras/helpers.h"

namespace actforge {
namespace {

struct Case {
  std::string class_name, shape, settings, lines;
};

std::string image() { return "[null,8,8,4]"; }

// `last` is the network's input with its channels last.
const Case kCases[] = {
    {"Dense", "[null,8]", R"("units":3,"activation":"relu")",
     "it = dense(in, units=3)\nit/activation = activation(it, function=relu(x))\n"},
    {"Dense", "[null,8]", R"("units":3,"use_bias":false,"activation":"linear")",
     "it = dense(in, units=3, bias=false)\n"},
    {"Dense", "[null,8]", R"("units":3,"activation":"softmax")",
     "it = dense(in, units=3)\nit/activation = softmax(it, axis=0)\n"},
    {"Dense", "[null,4,4,2]", R"("units":3)", "in/last = permute(in, order=1x2x0)\nit = dense(in/last, units=3)\n"},
    {"Conv1D", "[null,9,4]", R"("filters":5,"kernel_size":[3],"padding":"causal","dilation_rate":[2])",
     "in/first = permute(in, order=1x0)\nit = conv(in/first, filters=5, kernel=3, dilation=2, padding=4:0)\n"},
    {"Conv2D", image(), R"("filters":6,"kernel_size":[3,5],"strides":[2,2],"padding":"same","groups":2)",
     "it = conv(in, filters=6, kernel=3x5, stride=2, groups=2, padding=same)\n"},
    {"Conv3D", "[null,6,6,6,2]", R"("filters":2,"kernel_size":3)", "it = conv(in, filters=2, kernel=3)\n"},
    {"DepthwiseConv1D", "[null,9,4]", R"("kernel_size":3)",
     "in/first = permute(in, order=1x0)\nit = depthwise_conv(in/first, kernel=3)\n"},
    {"DepthwiseConv2D", image(), R"("kernel_size":[3,3],"depth_multiplier":2,"use_bias":false)",
     "it = depthwise_conv(in, kernel=3, multiplier=2, bias=false)\n"},
    {"SeparableConv2D", image(), R"("filters":7,"kernel_size":3)",
     "it/depthwise = depthwise_conv(in, kernel=3, bias=false)\nit = conv(it/depthwise, filters=7, kernel=1)\n"},
    {"Conv2DTranspose", image(), R"("filters":2,"kernel_size":3,"strides":2,"padding":"same")",
     "it = transposed_conv(in, filters=2, kernel=3, stride=2, margin=1, extra=1)\n"},
    {"Conv2DTranspose", image(), R"("filters":2,"kernel_size":2,"strides":3)",
     "it = transposed_conv(in, filters=2, kernel=2, stride=3, extra=1)\n"},
    {"Conv2DTranspose", image(), R"("filters":2,"kernel_size":4,"padding":"same")",
     "it/whole = transposed_conv(in, filters=2, kernel=4, margin=1)\nit = cropping(it/whole, margin=0:1x0:1)\n"},
    {"Embedding", "[null,5]", R"("input_dim":10,"output_dim":3)", "it = embedding(in, vocabulary=10, units=3)\n"},

    {"Activation", "[null,8]", R"("activation":"tanh")", "it = activation(in, function=tanh(x))\n"},
    {"Activation", "[null,8]",
     R"("activation":{"class_name":"function","config":"relu6","module":"builtins","registered_name":"function"})",
     "it = activation(in, function=min(relu(x),6))\n"},
    {"Activation", "[null,8]", R"("activation":"glu")", "it = opaque(in, type=glu, shape=4)\n"},
    {"Activation", "[null,8]", R"("activation":{"class_name":"LeakyReLU","config":{"negative_slope":0.5}})",
     "it = activation(in, function=add(relu(x),mul(0.5,min0(x))))\n"},
    {"ReLU", "[null,8]", "", "it = activation(in, function=relu(x))\n"},
    {"ReLU", "[null,8]", R"("max_value":6.0,"negative_slope":0.1)",
     "it = activation(in, function=min(add(relu(x),mul(0.1,min0(x))),6))\n"},
    {"LeakyReLU", "[null,8]", R"("alpha":0.2)", "it = activation(in, function=add(relu(x),mul(0.2,min0(x))))\n"},
    {"PReLU", image(), R"("shared_axes":[1,2])", "it = activation(in, function=add(relu(x),alpha[0](min0(x))))\n"},
    {"PReLU", image(), R"("alpha_initializer":{"class_name":"Constant","config":{"value":0.25}})",
     "it = activation(in, function=add(relu(x),alpha[0.25,neuron](min0(x))))\n"},
    {"ELU", "[null,8]", "", "it = activation(in, function=elu(x))\n"},
    {"Softmax", "[null,4,3]", R"("axis":1)", "it = softmax(in, axis=0)\n"},
    {"Rescaling", "[null,8]", R"("scale":2.0,"offset":-1)", "it = activation(in, function=add(mul(2,x),-1))\n"},

    {"BatchNormalization", image(), R"("axis":[3],"epsilon":0.001,"momentum":0.5)",
     "it = batch_norm(in, epsilon=0.001, momentum=0.5)\n"},
    {"LayerNormalization", "[null,5,4]", R"("axis":[2],"epsilon":0.001)", "it = layer_norm(in, epsilon=0.001)\n"},
    {"GroupNormalization", image(), R"("groups":-1,"epsilon":0.001)", "it = group_norm(in, groups=4, epsilon=0.001)\n"},
    {"Dropout", "[null,8]", R"("rate":0.25)", "it = dropout(in, rate=0.25)\n"},
    {"SpatialDropout2D", image(), R"("rate":0.25)", "it = spatial_dropout(in, rate=0.25)\n"},
    {"GaussianNoise", "[null,8]", R"("stddev":0.1)", "it = opaque(in, type=GaussianNoise, shape=8)\n"},

    {"MaxPooling2D", image(), R"("pool_size":[2,2],"strides":[2,2])", "it = max_pool(in)\n"},
    {"AveragePooling1D", "[null,9,4]", R"("pool_size":[3],"strides":[2],"padding":"same")",
     "in/first = permute(in, order=1x0)\nit = average_pool(in/first, size=3, stride=2, padding=same)\n"},
    {"GlobalAveragePooling2D", image(), "", "it = global_average_pool(in)\n"},
    {"GlobalAveragePooling1D", "[null,9,4]", "", "it = reduce_mean(in, axes=0)\n"},
    {"GlobalMaxPooling2D", image(), R"("keepdims":true)",
     "it = global_max_pool(in)\nit/extents = reshape(it, shape=4x1x1, channels=0)\n"},
    {"ZeroPadding2D", image(), R"("padding":[[1,0],[2,1]])", "it = zero_padding(in, padding=1:0x2:1)\n"},
    {"ZeroPadding1D", "[null,9,4]", R"("padding":[1,2])",
     "in/first = permute(in, order=1x0)\nit = zero_padding(in/first, padding=1:2)\n"},
    {"Cropping2D", image(), R"("cropping":[1,2])", "it = cropping(in, margin=1x2)\n"},
    {"UpSampling2D", image(), R"("size":[2,2],"interpolation":"bilinear")", "it = up_sampling(in, mode=linear)\n"},
    {"UpSampling2D", image(), R"("size":[2,3])", "it = opaque(in, type=UpSampling2D, shape=16x24x4, channels=-1)\n"},

    {"Flatten", image(), "", "it = flatten(in)\n"},
    {"Reshape", image(), R"("target_shape":[-1,4])",
     "in/last = permute(in, order=1x2x0)\nit = reshape(in/last, shape=-1x4)\n"},
    {"Reshape", "[null,8]", R"("target_shape":[1,1,8])", "it = reshape(in, shape=8x1x1, channels=0)\n"},
    {"Permute", "[null,5,4]", R"("dims":[2,1])", "it = permute(in, order=1x0)\n"},
    {"RepeatVector", "[null,8]", R"("n":3)",
     "it/column = reshape(in, shape=8x1, channels=0)\nit = up_sampling(it/column, factor=3)\n"},
    {"Resizing", image(), R"("height":5,"width":6)", "it = opaque(in, type=Resizing, shape=5x6x4, channels=-1)\n"},

    {"LSTM", "[null,5,4]", R"("units":3,"return_sequences":true)", "it = lstm(in, units=3, sequence=true)\n"},
    {"GRU", "[null,5,4]", R"("units":3)", "it = gru(in, units=3)\n"},
    {"SimpleRNN", "[null,5,4]", R"("units":3)", "it = simple_rnn(in, units=3)\n"},
    {"Bidirectional", "[null,5,4]",
     R"("merge_mode":"sum","layer":{"class_name":"GRU","config":{"name":"g","units":3}})",
     "it/forward = gru(in, units=3)\nit/backward = gru(in, units=3)\nit = add(it/forward, it/backward)\n"},
    {"TimeDistributed", "[null,5,4]", R"("layer":{"class_name":"Dense","config":{"name":"d","units":3}})",
     "it = dense(in, units=3)\n"},
    {"MyOwn>Thing", image(), R"("whatever":[1,2])", "it = opaque(in, type=Thing, shape=4x8x8)\n"},
};

TEST(KerasLayersTest, EachBecomesTheseLines) {
  for (const Case& one : kCases) {
    for (const bool keras3 : {true, false}) {
      SCOPED_TRACE(one.class_name + " " + one.settings);
      EXPECT_EQ(lines_of(one_layer(one.shape, one.class_name, one.settings, keras3)), one.lines);
    }
  }
}

TEST(KerasLayersTest, ChannelsFirst) {
  const std::string format = R"(,"data_format":"channels_first")";
  EXPECT_EQ(lines_of(one_layer("[null,4,8,8]", "Conv2D", R"("filters":2,"kernel_size":3)" + format)),
            "it = conv(in, filters=2, kernel=3)\n");
  EXPECT_EQ(lines_of(one_layer("[null,4,9]", "MaxPooling1D", R"("pool_size":3)" + format)),
            "it = max_pool(in, size=3)\n");
}

TEST(KerasLayersTest, HardSigmoidIsAnotherFunctionInKeras3) {
  EXPECT_TRUE(contains(lines_of(one_layer("[null,8]", "Activation", R"("activation":"hard_sigmoid")", false)),
                       "function=hard_sigmoid(x)"));
  EXPECT_FALSE(
      contains(lines_of(one_layer("[null,8]", "Activation", R"("activation":"hard_sigmoid")", true)), "hard_sigmoid"));
}

TEST(KerasLayersTest, ThresholdsAreStepsOfAFunction) {
  const KerasFile file = KerasFile::parse(one_layer("[null,8]", "ThresholdedReLU", R"("theta":1.5)"));
  EXPECT_TRUE(contains(network_text(file.network()), "div_no_nan"));
}

TEST(KerasLayersTest, EveryActivationNameIsRead) {
  for (const char* name :
       {"elu",         "exponential", "gelu",       "hard_sigmoid",  "hard_silu",   "hard_swish", "leaky_relu",
        "mish",        "relu",        "relu6",      "selu",          "sigmoid",     "silu",       "swish",
        "softplus",    "softsign",    "tanh",       "celu",          "log_sigmoid", "hard_tanh",  "soft_shrink",
        "hard_shrink", "tanh_shrink", "squareplus", "sparse_sigmoid"}) {
    const KerasFile file =
        KerasFile::parse(one_layer("[null,8]", "Activation", R"("activation":")" + std::string(name) + "\""));
    EXPECT_EQ(file.network().layers().back().kind->name, "activation") << name;
    EXPECT_TRUE(file.notes().empty()) << name;
  }
}

TEST(KerasLayersTest, WhatIsLeftOpenIsSaid) {
  for (const char* class_name : {"UnitNormalization", "AlphaDropout", "Normalization", "Lambda", "SomethingNew"}) {
    const KerasFile file = KerasFile::parse(one_layer("[null,8]", class_name, ""));
    EXPECT_EQ(file.network().layers().back().kind->name, "opaque");
    ASSERT_EQ(file.notes().size(), 1u) << class_name;
    EXPECT_TRUE(contains(file.notes()[0], "'it' (" + std::string(class_name) + ")")) << file.notes()[0];
  }
}

TEST(KerasLayersTest, SizesThatAreNotKnownAreTakenAndSaid) {
  const KerasFile words = KerasFile::parse(one_layer("[null,null]", "Embedding", R"("input_dim":9,"output_dim":2)"));
  EXPECT_EQ(words.network().layer(0).output.shape, Shape{16});
  ASSERT_EQ(words.notes().size(), 1u);
  const KerasFile images = KerasFile::parse(one_layer("[null,null,null,3]", "GlobalAveragePooling2D", ""));
  EXPECT_EQ(images.network().layer(0).output.shape, (Shape{3, 32, 32}));
  EXPECT_EQ(images.notes().size(), 1u);
  EXPECT_TRUE(contains(refusal([] { KerasFile::parse(one_layer("[null,4,null]", "LSTM", R"("units":3)")); }), "'in'"));
}

TEST(KerasLayersTest, AttentionIsTakenApart) {
  for (const bool keras3 : {true, false}) {
    const std::string x = tensor("x", 0, 0, keras3);
    const std::string node =
        keras3 ? R"({"args":[)" + x + "," + x + R"(],"kwargs":{}})" : R"([["x",0,0,{"value":["x",0,0]}]])";
    const KerasFile file = KerasFile::parse(
        functional(input("x", "[null,6,8]") + "," +
                       layer("MultiHeadAttention", "mha", R"("num_heads":2,"key_dim":3,"value_dim":5)", node),
                   R"([["x",0,0]])", R"([["mha",0,0]])", keras3));
    const std::string text = network_text(file.network());
    EXPECT_TRUE(contains(text, "mha/query = dense(x, units=6)")) << text;
    EXPECT_TRUE(contains(text, "mha/value = dense(x, units=10)")) << text;
    EXPECT_EQ(file.network().layers().back().name, "mha/attention_output");
    EXPECT_EQ(file.network().layers().back().output.shape, (Shape{6, 8}));
    // 2 * (8 * 6 + 6) + (8 * 10 + 10) + (10 * 8 + 8)
    EXPECT_EQ(file.network().weight_count(), 286);
    EXPECT_TRUE(file.notes().empty());
  }
}

}  // namespace
}  // namespace actforge
