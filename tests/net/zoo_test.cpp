#include "actforge/net/zoo/zoo.h"

#include <algorithm>
#include <array>
#include <map>

#include "actforge/expr/language/parse.h"
#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

struct Counts {
  std::int64_t layers = 0, weights = 0, hundreds = 0;
};

// Layers with weights, their weights, and the dissertation's number of features: the sum of ⌊weights/100⌋.
Counts count(const Network& network) {
  Counts counts;
  for (const Layer& layer : network.layers()) {
    counts.layers += layer.weight_count() > 0;
    counts.weights += layer.weight_count();
    counts.hundreds += layer.weight_count() / 100;
  }
  return counts;
}

std::int64_t count_kind(const Network& network, std::string_view kind) {
  return std::count_if(network.layers().begin(), network.layers().end(),
                       [&](const Layer& layer) { return layer.kind->name == kind; });
}

TEST(Zoo, AllCnnCHasTheWeightsOfTheDissertation) {
  const Counts counts = count(build_network("allcnn-c"));
  EXPECT_EQ(counts.hundreds, 13'692);
  EXPECT_EQ(counts.layers, 9);
}

// The code of the appendix "Implementing Custom Activation Functions", line by line. There is no activation between the
// third convolution and the first dropout.
TEST(Zoo, AllCnnCIsThatOfTheAppendix) {
  EXPECT_EQ(network_text(build_network("allcnn-c")),
            "network allcnn-c\n"
            "image = input(shape=3x32x32)\n"
            "conv_1 = conv(image, filters=96, kernel=3, padding=same)\n"
            "activation_1 = activation(conv_1, function=relu(x))\n"
            "conv_2 = conv(activation_1, filters=96, kernel=3, padding=same)\n"
            "activation_2 = activation(conv_2, function=relu(x))\n"
            "conv_3 = conv(activation_2, filters=96, kernel=3, stride=2, padding=same)\n"
            "dropout_1 = dropout(conv_3, rate=0.5)\n"
            "conv_4 = conv(dropout_1, filters=192, kernel=3, padding=same)\n"
            "activation_3 = activation(conv_4, function=relu(x))\n"
            "conv_5 = conv(activation_3, filters=192, kernel=3, padding=same)\n"
            "activation_4 = activation(conv_5, function=relu(x))\n"
            "conv_6 = conv(activation_4, filters=192, kernel=3, stride=2, padding=same)\n"
            "activation_5 = activation(conv_6, function=relu(x))\n"
            "dropout_2 = dropout(activation_5, rate=0.5)\n"
            "conv_7 = conv(dropout_2, filters=192, kernel=3, padding=same)\n"
            "activation_6 = activation(conv_7, function=relu(x))\n"
            "conv_8 = conv(activation_6, filters=192, kernel=1)\n"
            "activation_7 = activation(conv_8, function=relu(x))\n"
            "conv_9 = conv(activation_7, filters=10, kernel=1)\n"
            "activation_8 = activation(conv_9, function=relu(x))\n"
            "global_average_pool_1 = global_average_pool(activation_8)\n"
            "flatten_1 = flatten(global_average_pool_1)\n"
            "probabilities = softmax(flatten_1)\n"
            "return probabilities\n");
}

TEST(Zoo, ResnetHasTheWeightsOfTheDissertation) {
  const Counts counts = count(build_network("resnet-v2-56"));
  EXPECT_EQ(counts.layers, 59);
  EXPECT_EQ(counts.weights, 1'652'938);
  EXPECT_EQ(counts.hundreds, 16'500);
  EXPECT_EQ(count(build_network("resnet-v2-56-nobn")).weights, 1'652'938);
}

TEST(Zoo, ResnetsOfEveryDepth) {
  for (std::int64_t depth = 0; depth <= 120; ++depth) {
    const std::string name = "resnet-v2-" + std::to_string(depth);
    if (depth < 11 || (depth - 2) % 9 != 0) {
      EXPECT_TRUE(contains(refusal([&] { build_network(name); }), "D = 9n+2")) << depth;
      continue;
    }
    const Network network = build_network(name), plain = build_network(name + "-nobn");
    const std::int64_t n = (depth - 2) / 9;
    // One, three for each of 3n blocks, a shortcut in each stage; one dense layer.
    EXPECT_EQ(count_kind(network, "conv"), 1 + 9 * n + 3);
    EXPECT_EQ(count_kind(network, "add"), 3 * n);
    // As many as convolutions in blocks and at the end; the first block's first one shares that of the stem.
    EXPECT_EQ(count_kind(network, "activation"), 9 * n + 1);
    EXPECT_EQ(count_kind(network, "batch_norm"), 9 * n + 1);
    EXPECT_EQ(count_kind(plain, "batch_norm"), 0);
    EXPECT_EQ(plain.weight_count(), network.weight_count());
    EXPECT_EQ(plain.layers().size() + static_cast<std::size_t>(9 * n + 1), network.layers().size());
  }
}

// He et al. 2016: the stem has just normalised and activated, so that the first block begins with its convolution;
// every other block begins with both, and its shortcut takes the signal before them.
TEST(Zoo, ResnetBlocksAreThePublishedOnes) {
  const std::string text = network_text(build_network("resnet-v2-20"));
  const char* const first_sum =
      "conv_4 = conv(activation_3, filters=64, kernel=1, padding=same)\n"
      "conv_5 = conv(activation_1, filters=64, kernel=1, padding=same)\nadd_1 = add(conv_5, conv_4)\n"
      "batch_norm_4 = batch_norm(add_1, ";
  for (const char* line :
       {"conv_1 = conv(image, filters=16, kernel=3, padding=same)\n", "activation_1 = activation(batch_norm_1, ",
        "conv_2 = conv(activation_1, filters=16, kernel=1, padding=same)\nbatch_norm_2 = ",
        "conv_3 = conv(activation_2, filters=16, kernel=3, padding=same)\n", first_sum, "add_2 = add(add_1, conv_8)\n",
        "conv_9 = conv(activation_7, filters=64, kernel=1, stride=2, padding=same)\n",
        "conv_12 = conv(add_2, filters=128, kernel=1, stride=2, padding=same)\nadd_3 = add(conv_12, conv_11)\n",
        "probabilities = softmax(dense_1)\n"}) {
    EXPECT_TRUE(contains(text, line)) << line << "\n" << text;
  }
}

TEST(Zoo, ResnetMiniHalvesTheImageTwice) {
  const Network network = build_network("resnet-mini");
  EXPECT_EQ(count_kind(network, "add"), 6);
  std::string shapes;
  for (const Layer& layer : network.layers()) {
    if (layer.kind->name == "add") shapes += shape_text(layer.output.shape) + " ";
  }
  EXPECT_EQ(shapes, "16x28x28 16x28x28 32x14x14 32x14x14 64x7x7 64x7x7 ");
}

TEST(Zoo, VitMiniHasTokensAndHeads) {
  for (const auto& [input, tokens] :
       std::vector<std::pair<Shape, std::int64_t>>{{{1, 8, 8}, 16}, {{1, 28, 28}, 49}, {{3, 32, 32}, 64}}) {
    const Network network = build_network("vit-mini", {.input = input, .classes = 7});
    EXPECT_EQ(count_kind(network, "matmul"), 6);
    EXPECT_EQ(count_kind(network, "layer_norm"), 7);
    for (const Layer& layer : network.layers()) {
      const std::string_view kind = layer.kind->name;
      if (kind == "add" || kind == "layer_norm") {
        EXPECT_EQ(layer.output.shape, (Shape{tokens, 64}));
        EXPECT_EQ(layer.output.channel_axis, 1u);
      }
      if (kind == "softmax" && layer.name != "probabilities") {
        EXPECT_EQ(layer.output.shape, (Shape{4, tokens, tokens}));
      }
    }
    // Patches, positions, per block four dense layers of width 64 and the two of the feed-forward part, the last layer.
    const std::int64_t patch = input[1] < 16 ? 2 : 4;
    const std::int64_t block = 4 * (64 * 64 + 64) + (64 * 128 + 128) + (128 * 64 + 64);
    EXPECT_EQ(network.weight_count(), 64 * input[0] * patch * patch + 64 + tokens * 64 + 3 * block + 64 * 7 + 7);
  }
}

TEST(Zoo, MlpHasDepthAndWidth) {
  EXPECT_EQ(build_network("mlp-3-128").weight_count(), 784 * 128 + 128 + 2 * (128 * 128 + 128) + 128 * 10 + 10);
  EXPECT_EQ(build_network("mlp-0-1").weight_count(), 7850);
  EXPECT_EQ(count_kind(build_network("mlp-100-2"), "activation"), 100);
  refusal([] { build_network("mlp-10001-2"); });
  refusal([] { build_network("mlp-3-0"); });
  refusal([] { build_network("mlp-3-99999999"); });
}

TEST(Zoo, MlpTakesTables) {
  EXPECT_EQ(build_network("mlp-2-16", {.input = {14}, .classes = 2}).weight_count(), 14 * 16 + 16 + 272 + 34);
}

// What the libraries of others count: everything that is learned, gains and offsets too.
struct Published {
  const char* name;
  Shape input;
  std::int64_t classes, parameters;
};

const Published kPublished[] = {
    // torchvision, for ImageNet
    {"resnet-18", {3, 224, 224}, 1000, 11'689'512},
    {"resnet-34", {3, 224, 224}, 1000, 21'797'672},
    {"resnet-50", {3, 224, 224}, 1000, 25'557'032},
    {"resnet-101", {3, 224, 224}, 1000, 44'549'160},
    {"resnet-152", {3, 224, 224}, 1000, 60'192'808},
    {"densenet-121", {3, 224, 224}, 1000, 7'978'856},
    {"densenet-169", {3, 224, 224}, 1000, 14'149'480},
    {"densenet-201", {3, 224, 224}, 1000, 20'013'928},
    {"vgg-11", {3, 224, 224}, 1000, 132'863'336},
    {"vgg-13", {3, 224, 224}, 1000, 133'047'848},
    {"vgg-16", {3, 224, 224}, 1000, 138'357'544},
    {"vgg-19", {3, 224, 224}, 1000, 143'667'240},
    {"vgg-11-bn", {3, 224, 224}, 1000, 132'868'840},
    {"vgg-13-bn", {3, 224, 224}, 1000, 133'053'736},
    {"vgg-16-bn", {3, 224, 224}, 1000, 138'365'992},
    {"vgg-19-bn", {3, 224, 224}, 1000, 143'678'248},
    // timm: tests/torch/zoo_frameworks_test.py counts them there
    {"mobilevitv2-0.5", {3, 256, 256}, 1000, 1'370'593},
    {"mobilevitv2-0.75", {3, 256, 256}, 1000, 2'866'009},
    {"mobilevitv2-1", {3, 256, 256}, 1000, 4'901'841},
    {"mobilevitv2-2", {3, 256, 256}, 1000, 18'449'329},
    // Keras' example cifar10_resnet: "Trainable params: 273,066"
    {"resnet-v1-20", {3, 32, 32}, 10, 273'066},
};

TEST(Zoo, CountsAreThoseOfOtherLibraries) {
  for (const Published& published : kPublished) {
    const Network network = build_network(published.name, {.input = published.input, .classes = published.classes});
    EXPECT_EQ(network.parameter_count(), published.parameters) << published.name;
  }
}

// He et al. 2016, table 6; Zagoruyko and Komodakis 2016, table 4, on CIFAR-10: in millions.
TEST(Zoo, CountsAreThoseOfPapers) {
  for (const auto& [name, millions] : std::vector<std::pair<std::string, double>>{{"resnet-v1-20", 0.27},
                                                                                  {"resnet-v1-32", 0.46},
                                                                                  {"resnet-v1-44", 0.66},
                                                                                  {"resnet-v1-56", 0.85},
                                                                                  {"wrn-40-4", 8.9},
                                                                                  {"wrn-16-8", 11.0},
                                                                                  {"wrn-28-10", 36.5}}) {
    const double count = static_cast<double>(build_network(name).parameter_count()) / 1e6;
    EXPECT_NEAR(count, millions, millions < 1 ? 0.0101 : 0.05) << name;
  }
}

// Section "Calculating FIM Eigenvalues": 65 layers, and 11,013 features.
TEST(Zoo, MobileVitHasTheWeightsOfTheDissertation) {
  const Counts counts = count(build_network("mobilevitv2-0.5"));
  EXPECT_EQ(counts.layers, 65);
  EXPECT_EQ(counts.weights, 1'104'227);
  EXPECT_EQ(counts.hundreds, 11'013);
  EXPECT_EQ(build_network("mobilevitv2-1.0").weight_count(), build_network("mobilevitv2-1").weight_count());
  for (const char* name : {"mobilevitv2-0", "mobilevitv2-0.01", "mobilevitv2-17", "mobilevitv2-99999"}) {
    EXPECT_TRUE(contains(refusal([&] { build_network(name); }), "W from 0.1 to 16")) << name;
  }
  for (const char* name :
       {"mobilevitv2-.5", "mobilevitv2-0.", "mobilevitv2-0.5.1", "mobilevitv2--1", "resnet-v2-56.0", "mlp-3.5-128"}) {
    EXPECT_TRUE(contains(refusal([&] { build_network(name); }), "unknown network")) << name;
  }
}

// The shapes that layers of a kind give, each once in a row.
std::string shapes_of(const Network& network, std::string_view kind) {
  std::string text, last;
  for (const Layer& layer : network.layers()) {
    const std::string shape = shape_text(layer.output.shape);
    if (layer.kind->name == kind && shape != last) text += (text.empty() ? "" : " ") + shape, last = shape;
  }
  return text;
}

TEST(Zoo, WideResnetsOfEveryDepthAndWidth) {
  for (std::int64_t depth = 0; depth <= 60; ++depth) {
    const std::string name = "wrn-" + std::to_string(depth) + "-2";
    if (depth < 10 || (depth - 4) % 6 != 0) {
      EXPECT_TRUE(contains(refusal([&] { build_network(name); }), "D = 6n+4")) << depth;
      continue;
    }
    const Network network = build_network(name);
    const std::int64_t n = (depth - 4) / 6;
    EXPECT_EQ(count_kind(network, "conv"), 1 + 6 * n + 3);
    EXPECT_EQ(count_kind(network, "dropout"), 3 * n);
    EXPECT_EQ(count_kind(network, "activation"), 6 * n + 1);
    EXPECT_EQ(shapes_of(network, "add"), "32x32x32 64x16x16 128x8x8");
  }
  EXPECT_EQ(count_kind(build_network("wrn-10-1"), "conv"), 1 + 6 + 2);  // no wider than the stem
  EXPECT_TRUE(contains(refusal([] { build_network("wrn-10-0"); }), "K from 1"));
  EXPECT_TRUE(contains(network_text(build_network("wrn-28-10")), "dropout_1 = dropout(activation_2, rate=0.3)"));
  EXPECT_EQ(build_network("wrn-28-10").parameter_count(), 36'479'194);
}

TEST(Zoo, FirstResnetsOfEveryDepth) {
  for (std::int64_t depth = 0; depth <= 60; ++depth) {
    const std::string name = "resnet-v1-" + std::to_string(depth);
    if (depth < 8 || (depth - 2) % 6 != 0) {
      EXPECT_TRUE(contains(refusal([&] { build_network(name); }), "D = 6n+2")) << depth;
      continue;
    }
    const Network network = build_network(name);
    EXPECT_EQ(count_kind(network, "conv"), depth - 1 + 2);  // and two shortcuts
    EXPECT_EQ(count_kind(network, "activation"), depth - 1);
    EXPECT_EQ(shapes_of(network, "add"), "16x32x32 32x16x16 64x8x8");
  }
  const std::string text = network_text(build_network("resnet-v1-20"));
  EXPECT_TRUE(contains(text, "add_1 = add(activation_1, batch_norm_3)\nactivation_3 = activation(add_1, ")) << text;
}

TEST(Zoo, SmallImagesAreNotShrunkAtOnce) {
  const auto shapes = [](const std::string& name, std::int64_t size, std::string_view kind) {
    return shapes_of(build_network(name, {.input = {3, size, size}}), kind);
  };
  EXPECT_EQ(shapes("resnet-18", 224, "add"), "64x56x56 128x28x28 256x14x14 512x7x7");
  EXPECT_EQ(shapes("resnet-18", 32, "add"), "64x32x32 128x16x16 256x8x8 512x4x4");
  EXPECT_EQ(shapes("resnet-18", 28, "add"), "64x28x28 128x14x14 256x7x7 512x4x4");
  EXPECT_EQ(shapes("densenet-121", 224, "average_pool"), "128x28x28 256x14x14 512x7x7");
  EXPECT_EQ(shapes("densenet-121", 32, "average_pool"), "128x16x16 256x8x8 512x4x4");
  EXPECT_EQ(shapes("vgg-16", 32, "max_pool"), "64x16x16 128x8x8 256x4x4 512x2x2 512x1x1");
  EXPECT_EQ(shapes("vgg-16", 28, "max_pool"), "64x14x14 128x7x7 256x3x3 512x1x1");
  EXPECT_EQ(shapes("vgg-16", 32, "dense"), "10");
  EXPECT_EQ(shapes("vgg-16", 224, "dense"), "4096 10");
  EXPECT_EQ(shapes("mobilevitv2-0.5", 256, "add"), "64x64x64 64x4x256 96x4x64 128x4x16");
  EXPECT_EQ(shapes("mobilevitv2-0.5", 32, "add"), "64x32x32 64x4x64 96x4x16 128x4x4");
  EXPECT_EQ(shapes("mobilevitv2-0.5", 160, "resize"), "256x6x6");
  EXPECT_EQ(shapes("mobilevitv2-0.5", 28, "resize"), "192x8x8");
  EXPECT_EQ(shapes("coatnet", 160, "add"), "64x40x40 128x20x20 256x10x10 512x5x5");
  EXPECT_EQ(shapes("coatnet", 28, "add"), "64x28x28 128x14x14 256x7x7 512x4x4");
  EXPECT_TRUE(contains(refusal([] { build_network("resnet-18", {.input = {40}}); }), "it takes images"));
}

// Appendix "CoAtNet": 3 and 4 convolutional blocks of 64 and 128 channels, 6 and 3 transformer blocks of 256 and 512.
TEST(Zoo, CoatnetIsThatOfTheAppendix) {
  const Network network = build_network("coatnet"), plain = build_network("coatnet-nonorm");
  std::map<Shape, int> blocks;
  for (const Layer& layer : network.layers()) blocks[layer.output.shape] += layer.kind->name == "add" ? 1 : 0;
  EXPECT_EQ((blocks[{64, 40, 40}]), 3);
  EXPECT_EQ((blocks[{128, 20, 20}]), 4);
  EXPECT_EQ((blocks[{256, 10, 10}]), 2 * 6);
  EXPECT_EQ((blocks[{512, 5, 5}]), 2 * 3);
  EXPECT_EQ(count_kind(network, "depthwise_conv"), 7);
  EXPECT_EQ(count_kind(network, "relative_position"), 9);
  EXPECT_EQ(count_kind(plain, "batch_norm") + count_kind(plain, "layer_norm"), 0);
  EXPECT_EQ(plain.weight_count(), network.weight_count());
  const Network zero = build_network("coatnet-0", {.input = {3, 160, 160}, .classes = 1000});
  EXPECT_EQ(zero.activation_count(), 1u + 5 * 3 + 7);
  // keras_cv_attention_models says 23.3 million for these images.
  EXPECT_NEAR(static_cast<double>(zero.parameter_count()) / 1e6, 23.3, 0.05);
}

TEST(Zoo, GatesKeepTheirFunctions) {
  for (const auto& [name, gate, usual] : std::vector<std::array<std::string, 3>>{
           {"coatnet", "sigmoid(x)", "mul(x,mul(0.5,erfc(mul(-0.7071067811865476,x))))"},
           {"mobilevitv2-0.5", "relu(x)", "swish(x)"}}) {
    Network network = build_network(name);
    EXPECT_TRUE(contains(network_text(network), "function=" + gate + ", fixed=true)")) << name;
    EXPECT_TRUE(contains(network_text(network), "function=" + usual + ")")) << name;
    network.set_activation(parse("tanh(x)"));
    EXPECT_TRUE(contains(network_text(network), "function=" + gate + ", fixed=true)")) << name;
    EXPECT_FALSE(contains(network_text(network), "function=" + usual + ")")) << name;
  }
}

TEST(Zoo, NetworksForTextTakeWords) {
  const Network lstm = build_network("lstm-text", {.input = {80}, .classes = 2, .vocabulary = 20'000});
  EXPECT_EQ(lstm.layer(0).output, (Signal{.shape = {80}, .indices = true}));
  // Keras' example imdb_lstm has an embedding of 2,560,000 and an LSTM of 131,584 weights.
  EXPECT_EQ(lstm.weight_count(), 2'560'000 + 131'584 + (128 * 64 + 64) + (64 * 2 + 2));
  const Network cnn = build_network("cnn-text", {.input = {30}, .classes = 4});
  EXPECT_EQ(cnn.weight_count(), 10'000 * 128 + 128 * 100 * (3 + 4 + 5) + 300 + 300 * 4 + 4);
  EXPECT_TRUE(contains(refusal([] { build_network("cnn-text", {.input = {4}}); }), "does not fit"));
  EXPECT_TRUE(contains(refusal([] { build_network("lstm-text", {.vocabulary = -1}); }), "vocabulary"));
  EXPECT_TRUE(contains(refusal([] { build_network("cnn-text", {.input = {1, 8, 8}}); }), "takes text, a row of words"));
}

// Images of several sizes, or rows of words.
std::vector<Shape> inputs_for(const Architecture& row) {
  if (row.text) return {{12}, {80}};
  return {{1, 8, 8}, {1, 28, 28}, {3, 32, 32}};
}

TEST(Zoo, EveryNetworkAnswersWithProbabilities) {
  for (const Architecture& row : architectures()) {
    for (const Shape& input : inputs_for(row)) {
      for (const std::int64_t classes : {2, 10, 100}) {
        const Network network = build_network(row.example, {.input = input, .classes = classes});
        EXPECT_EQ(network.name(), row.example);
        EXPECT_EQ(network.layer(0).output.shape, input);
        ASSERT_EQ(network.outputs().size(), 1u);
        EXPECT_EQ(network.layer(network.outputs()[0]).name, "probabilities");
        EXPECT_EQ(network.layer(network.outputs()[0]).output.shape, Shape{classes}) << row.example;
        EXPECT_GT(network.activation_count(), 0u);
      }
    }
    EXPECT_EQ(build_network(row.example).layer(0).output.shape, row.input());
    EXPECT_FALSE(row.recipe.empty());
    EXPECT_EQ(find_architecture(row.example)->architecture, &row);
  }
}

TEST(Zoo, RefusesOtherNames) {
  for (const auto& [name, says] :
       std::vector<std::pair<std::string, std::string>>{{"allcnnc", "did you mean 'allcnn-c'?"},
                                                        {"resnet-v2-57-nobm", "did you mean 'resnet-v2-56-nobn'?"},
                                                        {"resnet-v2-", "there are: mlp-D-W"},
                                                        {"mlp-3", "there are: mlp-D-W"},
                                                        {"mlp--3-128", "mlp-3-128"},
                                                        {"mlp-3-128-", "mlp-3-128"},
                                                        {"mlp-D-W", "mlp"},
                                                        {"mlp-99999999999999999999-1", "there are"},
                                                        {"", "there are"},
                                                        {"frobnicate", "there are: mlp-D-W"}}) {
    const std::string said = refusal([&name = name] { build_network(name); });
    EXPECT_TRUE(contains(said, says)) << name << ": " << said;
  }
  for (const std::int64_t classes : {-1, 1, 1'000'001}) {
    EXPECT_TRUE(contains(refusal([&] { build_network("allcnn-c", {.classes = classes}); }), "2 to 1000000 classes"));
  }
  EXPECT_TRUE(contains(refusal([] { build_network("allcnn-c", {.input = {12}}); }), "layer 'conv_1'"));
  EXPECT_TRUE(contains(refusal([] { build_network("vit-mini", {.input = {1, 1, 1}}); }), "does not fit"));
}

}  // namespace
}  // namespace actforge
