// Every kind of layer: its output and its weights, against numbers worked out by hand.
#include <set>

#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

struct Case {
  std::string lines;
  std::string shape;
  std::size_t channel_axis = 0;
  std::int64_t weights = 0;
  std::int64_t parameters = -1;  // -1: as many as weights
};

const std::string kImage = "a = input(shape=6x9x8); ";
const std::string kLine = "a = input(shape=4x10); ";
const std::string kVolume = "a = input(shape=2x5x6x7); ";
const std::string kFlat = "a = input(shape=12); ";
const std::string kTokens = "a = input(shape=7x5, channels_last=true); ";
const std::string kWords = "a = input(shape=7, indices=true); ";

const Case kCases[] = {
    {"it = input(shape=3x32x32)", "3x32x32"},
    {"it = input(shape=7x5, channels_last=true)", "7x5", 1},
    {"it = input(shape=7, indices=true)", "7"},
    // One number per channel by default; per layer, per neuron; constants are not learned.
    {kImage + "it = activation(a)", "6x9x8"},
    {kImage + "it = activation(a, function=swish(alpha(x)))", "6x9x8", 0, 0, 6},
    {kImage + "it = activation(a, function=beta[1,layer](swish(alpha[0.5,neuron](x))))", "6x9x8", 0, 0, 1 + 6 * 9 * 8},
    {kTokens + "it = activation(a, function=alpha(x))", "7x5", 1, 0, 5},
    {kFlat + "it = activation(a, function=prelu(x))", "12", 0, 0, 12},
    {kImage + "it = dropout(a)", "6x9x8"},
    {kTokens + "it = dropout(a, rate=0)", "7x5", 1},
    {kImage + "it = spatial_dropout(a, rate=0.99)", "6x9x8"},

    {kImage + "it = conv(a, filters=4, kernel=3)", "4x7x6", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, bias=false)", "4x7x6", 0, 4 * 6 * 9},
    {kImage + "it = conv(a, filters=4, kernel=2x5)", "4x8x4", 0, 4 * 6 * 10 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, padding=same)", "4x9x8", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, stride=2, padding=same)", "4x5x4", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, stride=2x3)", "4x4x2", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, dilation=2)", "4x5x4", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, dilation=2x1, padding=1)", "4x7x8", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, padding=1x0)", "4x9x6", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, padding=0:1x2:3)", "4x8x11", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, padding=0:1)", "4x8x7", 0, 4 * 6 * 9 + 4},
    {kImage + "it = conv(a, filters=4, kernel=3, groups=2)", "4x7x6", 0, 4 * 3 * 9 + 4},
    {kImage + "it = conv(a, filters=12, kernel=3, groups=6)", "12x7x6", 0, 12 * 1 * 9 + 12},
    {kLine + "it = conv(a, filters=3, kernel=4, stride=3)", "3x3", 0, 3 * 4 * 4 + 3},
    {kVolume + "it = conv(a, filters=3, kernel=3x2x1, padding=same)", "3x5x6x7", 0, 3 * 2 * 6 + 3},
    {kVolume + "it = conv(a, filters=3, kernel=2, stride=2)", "3x2x3x3", 0, 3 * 2 * 8 + 3},
    {kImage + "it = depthwise_conv(a, kernel=3)", "6x7x6", 0, 6 * 9 + 6},
    {kImage + "it = depthwise_conv(a, kernel=3, multiplier=2, bias=false, stride=2, padding=same)", "12x5x4", 0,
     12 * 9},
    {kLine + "it = depthwise_conv(a, kernel=3, dilation=4)", "4x2", 0, 4 * 3 + 4},
    // (9-1)·2 + 3 = 19, (8-1)·2 + 3 = 17; less a margin on both sides, and one more at the end
    {kImage + "it = transposed_conv(a, filters=4, kernel=3, stride=2)", "4x19x17", 0, 6 * 4 * 9 + 4},
    {kImage + "it = transposed_conv(a, filters=4, kernel=3, stride=2, margin=1, extra=1x0, groups=2)", "4x18x15", 0,
     6 * 2 * 9 + 4},
    {kLine + "it = transposed_conv(a, filters=3, kernel=2, dilation=3, bias=false)", "3x13", 0, 4 * 3 * 2},
    {kImage + "it = weighted_sum(a, a)", "6x9x8", 0, 0, 2},
    {kImage + "it = slice(a, begin=2, length=3)", "3x9x8"},
    {kTokens + "it = slice(a, axis=0, length=2)", "2x5", 1},
    {"it = constant(shape=3x4, channels=1, mean=2)", "3x4", 1, 0, 0},
    {kImage + "it = opaque(a, type=Mystery, shape=5x2)", "5x2"},
    {kFlat + "it = dense(a, units=5)", "5", 0, 12 * 5 + 5},
    {kFlat + "it = dense(a, units=5, bias=false)", "5", 0, 12 * 5},
    {kTokens + "it = dense(a, units=3)", "7x3", 1, 5 * 3 + 3},
    {kWords + "it = embedding(a, vocabulary=100, units=8)", "7x8", 1, 800},
    {"a = input(shape=2x3, indices=true); it = embedding(a, vocabulary=10, units=4)", "2x3x4", 2, 40},
    {kTokens + "it = position_embedding(a)", "7x5", 1, 35},
    {"a = input(shape=4x6x6); it = relative_position(a, grid=2x3)", "4x6x6", 0, 4 * 3 * 5},

    // Gains and offsets are learned but no weights; running statistics are neither.
    {kImage + "it = batch_norm(a)", "6x9x8", 0, 0, 12},
    {kTokens + "it = batch_norm(a)", "7x5", 1, 0, 10},
    {kFlat + "it = batch_norm(a)", "12", 0, 0, 24},
    {kTokens + "it = layer_norm(a)", "7x5", 1, 0, 10},
    {kImage + "it = layer_norm(a)", "6x9x8", 0, 0, 12},
    {kImage + "it = group_norm(a, groups=3)", "6x9x8", 0, 0, 12},

    {kImage + "it = max_pool(a)", "6x4x4"},
    {kImage + "it = max_pool(a, size=3, stride=2)", "6x4x3"},
    {kImage + "it = max_pool(a, size=2x3, padding=same)", "6x5x3"},
    {kLine + "it = average_pool(a, size=4, stride=3, padding=1)", "4x3"},
    {kVolume + "it = average_pool(a, size=2x2x7)", "2x2x3x1"},
    {kImage + "it = global_max_pool(a)", "6"},
    {kVolume + "it = global_average_pool(a)", "2"},
    {kImage + "it = reduce_mean(a, axes=1x2)", "6"},
    {kImage + "it = reduce_mean(a, axes=0)", "9x8", 1},
    {kImage + "it = reduce_mean(a, axes=0, keep=true)", "1x9x8"},
    {kTokens + "it = reduce_mean(a, axes=0)", "5"},
    {kTokens + "it = reduce_sum(a, axes=0, keep=true)", "1x5", 1},
    {kImage + "it = reduce_sum(a, axes=2x0)", "9"},
    {kImage + "it = reduce_sum(a, axes=0x1x2)", "1"},
    {kImage + "it = reduce_sum(a, axes=2)", "6x9"},

    {kImage + "it = add(a, a)", "6x9x8"},
    {kImage + "it = add(a, a, a)", "6x9x8"},
    {kImage + "g = input(shape=6x1x1); it = multiply(a, g)", "6x9x8"},
    {kImage + "g = input(shape=6x1x1); it = multiply(g, a)", "6x9x8"},
    {kImage + "g = input(shape=6x1x1, channels_last=true); it = multiply(g, a)", "6x9x8"},
    {"a = input(shape=1x4); b = input(shape=3x1); it = add(a, b)", "3x4"},
    {kTokens + "it = subtract(a, a)", "7x5", 1},
    {kFlat + "it = average(a, a)", "12"},
    {kFlat + "it = maximum(a, a, a)", "12"},
    {kFlat + "it = minimum(a, a)", "12"},
    {kImage + "b = input(shape=3x9x8); it = concatenate(a, b, a)", "15x9x8"},
    {kTokens + "b = input(shape=7x2, channels_last=true); it = concatenate(a, b)", "7x7", 1},
    {kTokens + "b = input(shape=2x5, channels_last=true); it = concatenate(a, b, axis=0)", "9x5", 1},
    {kTokens + "b = input(shape=2x5, channels_last=true); it = concatenate(a, b, axis=-2)", "9x5", 1},
    {kWords + "it = concatenate(a, a)", "14"},
    {kTokens + "it = matmul(a, a, transpose_b=true)", "7x7", 1},
    {kTokens + "it = matmul(a, a, transpose_a=true, scale=0.5)", "5x5", 1},
    {"a = input(shape=4x7x5); b = input(shape=4x5x2); it = matmul(a, b)", "4x7x2", 2},

    {kImage + "it = zero_padding(a)", "6x11x10"},
    {kImage + "it = zero_padding(a, padding=0:1x2)", "6x10x12"},
    {kLine + "it = zero_padding(a, padding=3:0)", "4x13"},
    {kImage + "it = cropping(a)", "6x7x6"},
    {kImage + "it = cropping(a, margin=4:4x0:7)", "6x1x1"},
    {kImage + "it = up_sampling(a)", "6x18x16"},
    {kVolume + "it = up_sampling(a, factor=3, mode=linear)", "2x15x18x21"},
    {kImage + "it = resize(a, size=10)", "6x10x10"},
    {kVolume + "it = resize(a, size=1x7x3)", "2x1x7x3"},
    {kImage + "it = flatten(a)", "432"},
    {kWords + "it = flatten(a)", "7"},
    {kImage + "it = reshape(a, shape=6x72)", "6x72", 1},
    {kImage + "it = reshape(a, shape=6x-1, channels=0)", "6x72", 0},
    {kImage + "it = reshape(a, shape=-1)", "432"},
    {kImage + "it = reshape(a, shape=2x3x-1x8x1, channels=-2)", "2x3x9x8x1", 3},
    {kImage + "it = permute(a, order=1x2x0)", "9x8x6", 2},
    {kImage + "it = permute(a, order=2x0x1)", "8x6x9", 1},
    {kTokens + "it = permute(a, order=1x0)", "5x7", 0},
    {kFlat + "it = softmax(a)", "12"},
    {kImage + "it = softmax(a, axis=channels)", "6x9x8"},
    {kTokens + "it = softmax(a, axis=-2)", "7x5", 1},

    {kTokens + "it = lstm(a, units=3)", "3", 0, 4 * (3 * 5 + 3 * 3 + 3)},
    {kTokens + "it = lstm(a, units=3, sequence=true)", "7x3", 1, 4 * (3 * 5 + 3 * 3 + 3)},
    {kTokens + "it = gru(a, units=3)", "3", 0, 3 * (3 * 5 + 3 * 3 + 2 * 3)},
    {kTokens + "it = gru(a, units=3, sequence=true)", "7x3", 1, 3 * (3 * 5 + 3 * 3 + 2 * 3)},
    {kTokens + "it = simple_rnn(a, units=3)", "3", 0, 3 * 5 + 3 * 3 + 3},
};

TEST(LayerShape, IsWhatItShouldBe) {
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.lines);
    const Layer layer = layer_of(row.lines);
    EXPECT_EQ(shape_text(layer.output.shape), row.shape);
    EXPECT_EQ(layer.output.channel_axis, row.channel_axis);
    EXPECT_EQ(layer.weight_count(), row.weights);
    EXPECT_EQ(layer.parameter_count(), row.parameters < 0 ? row.weights : row.parameters);
  }
}

TEST(LayerShape, EveryKindIsTested) {
  std::set<std::string_view> tested;
  for (const Case& row : kCases) tested.insert(layer_of(row.lines).kind->name);
  for (const LayerKind* kind : layer_kinds()) EXPECT_TRUE(tested.contains(kind->name)) << kind->name;
}

TEST(LayerShape, IndicesStayIndicesUntilTheyAreEmbedded) {
  EXPECT_TRUE(layer_of("it = input(shape=7, indices=true)").output.indices);
  for (const char* line : {"flatten(a)", "reshape(a, shape=1x7)", "permute(a, order=0)", "concatenate(a, a)"}) {
    EXPECT_TRUE(layer_of(kWords + "it = " + line).output.indices) << line;
  }
  EXPECT_FALSE(layer_of(kWords + "it = embedding(a, vocabulary=2, units=2)").output.indices);
}

TEST(LayerWeights, FansAndShapes) {
  const Layer conv = layer_of(kImage + "it = conv(a, filters=4, kernel=3x2, groups=2)");
  ASSERT_EQ(conv.weights.size(), 2u);
  EXPECT_EQ(conv.weights[0].shape, (Shape{4, 3, 3, 2}));
  EXPECT_EQ(conv.weights[0].fan_in, 3 * 6);
  EXPECT_EQ(conv.weights[0].fan_out, 2 * 6);
  EXPECT_EQ(conv.weights[1].role, WeightRole::kBias);
  const Layer depthwise = layer_of(kImage + "it = depthwise_conv(a, kernel=3, multiplier=2)");
  EXPECT_EQ(depthwise.weights[0].shape, (Shape{12, 1, 3, 3}));
  EXPECT_EQ(depthwise.weights[0].fan_in, 9);
  EXPECT_EQ(depthwise.weights[0].fan_out, 18);
  const Layer lstm = layer_of(kTokens + "it = lstm(a, units=3)");
  EXPECT_EQ(lstm.weights[0].shape, (Shape{12, 5}));
  EXPECT_EQ(lstm.weights[1].shape, (Shape{12, 3}));
  EXPECT_EQ(lstm.weights[1].role, WeightRole::kRecurrentKernel);
  const Layer norm = layer_of(kImage + "it = batch_norm(a)");
  ASSERT_EQ(norm.weights.size(), 4u);
  EXPECT_EQ(norm.weights[0].initial, 1);
  EXPECT_EQ(norm.weights[1].initial, 0);
  EXPECT_EQ(norm.weights[3].initial, 1);
  const Layer activation = layer_of(kImage + "it = activation(a, function=alpha[0.5,layer](x))");
  ASSERT_EQ(activation.weights.size(), 1u);
  EXPECT_EQ(activation.weights[0].name, "alpha");
  EXPECT_EQ(activation.weights[0].initial, 0.5);
  EXPECT_EQ(activation.weights[0].shape, Shape{});
}

// The largest layers that are allowed overflow nothing; those beyond are refused.
TEST(LayerWeights, HugeOnesAreRefused) {
  const std::string channels = "a = input(shape=16777216x256); b = reshape(a, shape=-1x1x1x1, channels=0); ";
  EXPECT_EQ(layer_of(channels + "it = flatten(b)").output.shape, Shape{std::int64_t{1} << 32});
  EXPECT_TRUE(contains(refusal([&] { layer_of(channels + "it = conv(b, filters=1, kernel=2048, padding=1024)"); }),
                       "too large"));
  EXPECT_TRUE(contains(
      refusal([&] { layer_of(kImage + "it = conv(a, filters=16777216, kernel=65536, padding=65536)"); }), "too large"));
  EXPECT_TRUE(contains(refusal([&] { layer_of(channels + "it = lstm(b, units=65536)"); }), "sequence"));
  EXPECT_TRUE(contains(refusal([] { layer_of("it = input(shape=16777216x16777216)"); }), "too large"));
  EXPECT_TRUE(contains(refusal([] {
                         layer_of(
                             "a = input(shape=1x1x1x1x1x1x1x1, indices=true); "
                             "it = embedding(a, vocabulary=2, units=2)");
                       }),
                       "more than 8 extents"));
}

}  // namespace
}  // namespace actforge
