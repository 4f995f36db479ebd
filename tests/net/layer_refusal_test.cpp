// Every kind of layer, given what it cannot take: the error names the layer and says what is wrong.
#include <set>

#include "actforge/net/graph/network_json.h"
#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

struct Wrong {
  std::string kind;
  std::string line;  // of the layer `it`, after the inputs below
  std::string says;
};

const std::string kInputs =
    "image = input(shape=6x9x8); flat = input(shape=12); tokens = input(shape=7x5, channels_last=true); "
    "words = input(shape=7, indices=true); five = input(shape=2x3x4x5x6); ";

const Wrong kWrong[] = {
    {"input", "input(flat, shape=3)", "takes no inputs, not 1"},
    {"input", "input()", "'shape' is missing"},
    {"input", "input(shape=0x3)", "from 1 to"},
    {"input", "input(shape=1x2x3x4x5x6x7x8x9)", "up to 8"},
    {"activation", "activation()", "takes 1 input, not 0"},
    {"activation", "activation(words)", "not indices"},
    {"activation", "activation(flat, function=rleu(x))", "did you mean 'relu'?"},
    {"dropout", "dropout(words)", "not indices"},
    {"dropout", "dropout(flat, rate=1)", "from 0 to 0.99"},
    {"dropout", "dropout(flat, rate=nan)", "finite"},
    {"spatial_dropout", "spatial_dropout(flat)", "whole channels"},
    {"spatial_dropout", "spatial_dropout(words)", "channels"},
    {"conv", "conv(image, kernel=3)", "'filters' is missing"},
    {"conv", "conv(image, filters=3)", "'kernel' is missing"},
    {"conv", "conv(flat, filters=3, kernel=3)", "one to three spatial extents"},
    {"conv", "conv(tokens, filters=3, kernel=3)", "channels last"},
    {"conv", "conv(words, filters=3, kernel=3)", "spatial extents"},
    {"conv", "conv(five, filters=3, kernel=3)", "spatial extents"},
    {"conv", "conv(image, filters=3, kernel=10)", "does not fit into 9"},
    {"conv", "conv(image, filters=3, kernel=12, padding=1)", "9 and its padding"},
    {"conv", "conv(image, filters=3, kernel=3x3x3)", "does not fit 2 spatial extent(s)"},
    {"conv", "conv(image, filters=3, kernel=3, stride=1x1x1)", "does not fit 2 spatial extent(s)"},
    {"conv", "conv(image, filters=3, kernel=3, groups=2)", "must divide the 6 channels of its input and the 3"},
    {"conv", "conv(image, filters=4, kernel=3, groups=4)", "must divide"},
    {"conv", "conv(image, filters=3, kernel=3, padding=some)", "'same', 'valid'"},
    {"conv", "conv(image, filters=3, kernel=3, padding=-1)", "padding takes"},
    {"conv", "conv(image, filters=3, kernel=3, padding=1x1x1)", "does not fit 2"},
    {"conv", "conv(image, filters=3, kernel=3, padding=1:2:3)", "padding takes"},
    {"conv", "conv(image, filters=3, kernel=3, padding=99999999)", "padding takes"},
    {"conv", "conv(image, filters=0, kernel=3)", "filters must be from 1"},
    {"conv", "conv(image, filters=3, kernel=0)", "kernel must be from 1"},
    {"conv", "conv(image, filters=3, kernel=3, stride=0)", "stride must be from 1"},
    {"conv", "conv(image, filters=3.5, kernel=3)", "a whole number, not '3.5'"},
    {"conv", "conv(image, filters=99999999999999999999, kernel=3)", "a whole number"},
    {"conv", "conv(image, filters=3, kernel=three)", "kernel: expected up to 8 whole numbers"},
    {"conv", "conv(image, filters=3, kernel=3, bias=yes)", "true or false, not 'yes'"},
    {"conv", "conv(image, filters=3, kernel=3, kernel=3)", "'kernel' is given twice"},
    {"conv", "conv(image, image, filters=3, kernel=3)", "takes 1 input, not 2"},
    {"depthwise_conv", "depthwise_conv(image)", "'kernel' is missing"},
    {"depthwise_conv", "depthwise_conv(flat, kernel=3)", "spatial extents"},
    {"depthwise_conv", "depthwise_conv(image, kernel=3, multiplier=0)", "multiplier"},
    {"dense", "dense(image, units=3)", "put a flatten"},
    {"dense", "dense(words, units=3)", "put an embedding"},
    {"dense", "dense(flat)", "'units' is missing"},
    {"embedding", "embedding(flat, vocabulary=3, units=3)", "needs indices"},
    {"position_embedding", "position_embedding(words)", "not indices"},
    {"relative_position", "relative_position(image, grid=3x3)", "[heads, 9, 9] of a grid of 3x3"},
    {"relative_position", "relative_position(tokens, grid=7x1)", "its input is 7x5"},
    {"relative_position", "relative_position(image, grid=9)", "two extents"},
    {"relative_position", "relative_position(image)", "'grid' is missing"},
    {"batch_norm", "batch_norm(words)", "not indices"},
    {"batch_norm", "batch_norm(flat, epsilon=-1)", "epsilon"},
    {"layer_norm", "layer_norm(words)", "not indices"},
    {"group_norm", "group_norm(image, groups=4)", "must divide the 6 channels"},
    {"group_norm", "group_norm(tokens, groups=5)", "channels first"},
    {"group_norm", "group_norm(image)", "'groups' is missing"},
    {"max_pool", "max_pool(flat)", "spatial extents"},
    {"max_pool", "max_pool(image, size=10)", "does not fit"},
    {"max_pool", "max_pool(image, size=2, padding=2)", "holds nothing"},
    {"max_pool", "max_pool(image, size=2, padding=0:3)", "holds nothing"},
    {"average_pool", "average_pool(tokens)", "channels last"},
    {"average_pool", "average_pool(image, size=2, padding=5)", "holds nothing"},
    {"global_max_pool", "global_max_pool(flat)", "spatial extents"},
    {"global_average_pool", "global_average_pool(tokens)", "channels last"},
    {"add", "add(image)", "at least 2 inputs, not 1"},
    {"add", "add(image, flat)", "do not fit: 6x9x8 and 12"},
    {"add", "add(words, words)", "not indices"},
    {"subtract", "subtract(flat, flat, flat)", "takes 2 inputs, not 3"},
    {"multiply", "multiply(image, tokens)", "do not fit"},
    {"average", "average(image)", "at least 2"},
    {"maximum", "maximum(words, words)", "not indices"},
    {"minimum", "minimum(image, flat)", "do not fit"},
    {"concatenate", "concatenate(image, flat)", "do not fit"},
    {"concatenate", "concatenate(flat, words)", "do not fit"},
    {"concatenate", "concatenate(image, image, axis=3)", "not among those of 6x9x8"},
    {"concatenate", "concatenate(image, image, axis=rows)", "'channels' or by a whole number, not by 'rows'"},
    {"matmul", "matmul(tokens, tokens)", "do not multiply: 7x5 and 7x5"},
    {"matmul", "matmul(flat, flat)", "stacks of matrices"},
    {"matmul", "matmul(words, words)", "not indices"},
    {"matmul", "matmul(tokens, tokens, transpose_b=true, scale=inf)", "finite"},
    {"zero_padding", "zero_padding(flat)", "spatial extents"},
    {"zero_padding", "zero_padding(image, padding=same)", "takes numbers, not 'same'"},
    {"cropping", "cropping(image, margin=4)", "nothing is left"},
    {"cropping", "cropping(tokens)", "channels last"},
    {"up_sampling", "up_sampling(image, mode=cubic)", "nearest or linear"},
    {"up_sampling", "up_sampling(image, factor=65)", "from 1 to 64"},
    {"resize", "resize(image)", "'size' is missing"},
    {"resize", "resize(tokens, size=3)", "channels last"},
    {"resize", "resize(image, size=3x3x3)", "does not fit 2 spatial extent(s)"},
    {"flatten", "flatten(image, flat)", "takes 1 input"},
    {"flatten", "flatten(image, axis=1)", "flatten has no setting 'axis'; it has none"},
    {"reshape", "reshape(image, shape=5x-1)", "cannot become 5x-1"},
    {"reshape", "reshape(image, shape=433)", "cannot become"},
    {"reshape", "reshape(image, shape=-1x-1)", "only one"},
    {"reshape", "reshape(image, shape=0x-1)", "not positive"},
    {"reshape", "reshape(image, shape=6x-1, channels=2)", "not among"},
    {"permute", "permute(image, order=0x1)", "not an order of the 3 extents"},
    {"permute", "permute(image, order=0x1x1)", "not an order"},
    {"permute", "permute(image, order=1x2x3)", "not an order"},
    {"permute", "permute(image, order=3x0x2)", "not an order"},
    {"permute", "permute(image, order=8x0x1)", "not an order"},
    {"transposed_conv", "transposed_conv(flat, filters=2, kernel=3)", "spatial extents"},
    {"transposed_conv", "transposed_conv(image, filters=3, kernel=3, groups=2)", "must divide"},
    {"transposed_conv", "transposed_conv(image, filters=3, kernel=3, extra=1)", "less than stride"},
    {"transposed_conv", "transposed_conv(image, filters=3, kernel=1, margin=9)", "nothing is left"},
    {"weighted_sum", "weighted_sum(image, flat)", "do not fit"},
    {"slice", "slice(image, begin=5, length=2)", "no 2 numbers from 5 in 6"},
    {"slice", "slice(image, axis=7, length=1)", "not among"},
    {"constant", "constant(flat, shape=3)", "takes no inputs"},
    {"constant", "constant(shape=3, variance=-1)", "variance must be"},
    {"opaque", "opaque(flat, type=A)", "'shape' is missing"},
    {"opaque", "opaque(flat, type=A, shape=3, channels=1)", "not among"},
    {"softmax", "softmax(words)", "not indices"},
    {"softmax", "softmax(flat, axis=1)", "not among"},
    {"reduce_mean", "reduce_mean(image, axes=3)", "not among"},
    {"reduce_mean", "reduce_mean(image, axes=1x1)", "names 1 twice"},
    {"reduce_sum", "reduce_sum(words, axes=0)", "not indices"},
    {"reduce_sum", "reduce_sum(image)", "'axes' is missing"},
    {"lstm", "lstm(image, units=3)", "a sequence [time, channels]"},
    {"lstm", "lstm(words, units=3)", "a sequence"},
    {"gru", "gru(flat, units=3)", "a sequence"},
    {"simple_rnn", "simple_rnn(tokens)", "'units' is missing"},
};

// The error for the line; the inputs that it does not use are no mistake.
std::string error_of_line(const std::string& line) {
  return refusal([&] { layer_of(kInputs + "it = " + line); });
}

TEST(LayerRefusal, SaysWhatIsWrong) {
  for (const Wrong& row : kWrong) {
    const std::string said = error_of_line(row.line);
    EXPECT_TRUE(contains(said, row.says)) << row.line << ": " << said;
    EXPECT_TRUE(said.starts_with("line 7: layer 'it'")) << row.line << ": " << said;
  }
}

TEST(LayerRefusal, EveryKindIsTested) {
  std::set<std::string_view> tested;
  for (const Wrong& row : kWrong) tested.insert(row.kind);
  for (const LayerKind* kind : layer_kinds()) EXPECT_TRUE(tested.contains(kind->name)) << kind->name;
}

// By the builder, without any text, with every kind in turn: no inputs where some are needed, one where none is.
TEST(LayerRefusal, NamesTheLayer) {
  for (const LayerKind* kind : layer_kinds()) {
    NetworkBuilder builder("test");
    const LayerId a = builder.add("input", {}, {{"shape", Shape{4}}}, "a");
    const std::vector<LayerId> inputs = kind->most_inputs == 0 ? std::vector<LayerId>{a} : std::vector<LayerId>{};
    const std::string said = refusal([&] { builder.add(kind->name, inputs, {}, "wrong"); });
    EXPECT_TRUE(said.starts_with("layer 'wrong' (" + std::string(kind->name) + "): ")) << said;
    const std::string unknown = refusal([&] { builder.add(kind->name, {a}, {{"nothing", true}}, "wrong"); });
    EXPECT_TRUE(unknown.starts_with("layer 'wrong' (" + std::string(kind->name) + "): ")) << unknown;
  }
}

TEST(LayerRefusal, SuggestsNames) {
  EXPECT_TRUE(contains(error_of_line("cnov(image, filters=3, kernel=3)"), "did you mean 'conv'?"));
  EXPECT_TRUE(contains(error_of_line("frobnicate(image)"), "there are: input, activation, conv"));
  EXPECT_TRUE(contains(error_of_line("conv(image, filter=3, kernel=3)"), "did you mean 'filters'?"));
  EXPECT_TRUE(contains(error_of_line("conv(image, frobnicate=3)"), "there are: filters, kernel"));
  EXPECT_TRUE(contains(error_of_line("conv(imgae, filters=3, kernel=3)"), "did you mean 'image'?"));
}

// Merges of signals whose channels stand in different places would mix them up.
TEST(LayerRefusal, ChannelsInDifferentPlaces) {
  const std::string inputs = "a = input(shape=4x4); b = input(shape=4x4, channels_last=true); it = ";
  for (const char* line : {"add(a, b)", "concatenate(a, b)", "concatenate(a, b, axis=0)", "maximum(b, b, a)"}) {
    EXPECT_TRUE(contains(refusal([&] { layer_of(inputs + line); }), "in the same place")) << line;
  }
}

TEST(LayerFamily, EachHasAName) {
  for (const LayerKind* kind : layer_kinds()) {
    EXPECT_LT(static_cast<std::size_t>(kind->family), kLayerFamilies) << kind->name;
    EXPECT_FALSE(family_name(kind->family).empty()) << kind->name;
    EXPECT_FALSE(kind->summary.empty()) << kind->name;
  }
}

}  // namespace
}  // namespace actforge
