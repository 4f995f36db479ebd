#include "actforge/net/zoo/zoo.h"

#include <algorithm>

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

TEST(Zoo, EveryNetworkAnswersWithProbabilities) {
  for (const Architecture& row : architectures()) {
    for (const Shape& input : {Shape{1, 8, 8}, Shape{1, 28, 28}, Shape{3, 32, 32}}) {
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
