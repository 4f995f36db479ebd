// CoAtNet (Dai et al. 2021), as the implementation that the dissertation names has it
// (keras_cv_attention_models 1.3.0).
//
// A stem of two 3x3 convolutions of 64 channels, two stages of convolutional blocks, two of transformer blocks; the
// first block of each halves the image and widens it. `coatnet` is the dissertation's smaller variant (appendix
// "CoAtNet"), `coatnet-0` the one that it is compared with. Both kinds of block begin with a normalisation:
//   convolutional  1x1 to four times the channels, 3x3 for each channel, squeeze and excite, 1x1 back
//   transformer    attention of heads of 32 channels, with learned biases for relative positions; then two 1x1
//                  convolutions, four times as wide in between
// The gate of squeeze and excite is a sigmoid whatever the activation function is.
//
// Five layers halve the image. For small ones the first two, in the stem and in the first stage, do not.
#include <array>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr std::int64_t kStem = 64, kExpansion = 4, kHead = 32;

struct Variant {
  std::array<int, 4> blocks;
  std::array<std::int64_t, 4> filters;
};

constexpr Variant kDissertation = {{3, 4, 6, 3}, {64, 128, 256, 512}}, kZero = {{2, 3, 5, 2}, {96, 192, 384, 768}};

// By 2x2, TensorFlow's `same` where an extent is odd.
LayerId halved(const Blocks& net, LayerId x) {
  return net.net.add("max_pool", {x}, {{"size", std::int64_t{2}}, {"padding", std::string("same")}});
}

// Of the first block of a stage; the others have their input itself.
LayerId projection(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  return net.conv(stride == 1 ? x : halved(net, x), {.filters = filters});
}

LayerId squeeze_excite(const Blocks& net, LayerId x, std::int64_t narrow) {
  LayerId gate = net.net.add("reduce_mean", {x}, {{"axes", Shape{1, 2}}, {"keep", true}});
  gate = net.activation(net.conv(gate, {.filters = narrow, .bias = true}));
  gate = net.conv(gate, {.filters = net.channels(x), .bias = true});
  gate = net.net.add("activation", {gate}, {{"function", parse("sigmoid(x)")}, {"fixed", true}});
  return net.net.add("multiply", {x, gate});
}

LayerId conv_branch(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  const std::int64_t channels = net.channels(x), wide = kExpansion * channels;
  LayerId y = net.norm_activation(net.conv(net.batch_norm(x), {.filters = wide}));
  y = net.norm_activation(net.depthwise_conv(y, 3, stride));
  return net.conv(squeeze_excite(net, y, round_channels(static_cast<double>(channels) / 4)), {.filters = filters});
}

LayerId permute_matrices(const Blocks& net, LayerId x) {
  return net.net.add("permute", {x}, {{"order", Shape{0, 2, 1}}});
}

LayerId attention(const Blocks& net, LayerId x, std::int64_t filters) {
  const std::int64_t channels = net.shape(x)[0], height = net.shape(x)[1], width = net.shape(x)[2];
  const std::int64_t heads = channels / kHead, places = height * width;
  const LayerId projected = net.conv(x, {.filters = 3 * channels});
  const auto part = [&](std::int64_t number) {
    const LayerId slice = net.net.add("slice", {projected}, {{"begin", number * channels}, {"length", channels}});
    return net.net.add("reshape", {slice}, {{"shape", Shape{heads, kHead, places}}, {"channels", std::int64_t{1}}});
  };
  const LayerId query = part(0), key = part(1), value = part(2);
  const double scale = 1 / std::sqrt(static_cast<double>(kHead));
  LayerId scores = net.net.add("matmul", {query, key}, {{"transpose_a", true}, {"scale", scale}});
  scores = net.net.add("relative_position", {scores}, {{"grid", Shape{height, width}}});
  LayerId y = net.net.add("matmul", {net.net.add("softmax", {scores}), permute_matrices(net, value)});
  y = net.net.add("reshape", {permute_matrices(net, y)},
                  {{"shape", Shape{channels, height, width}}, {"channels", std::int64_t{0}}});
  return net.conv(y, {.filters = filters});
}

LayerId attention_branch(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  const LayerId y = net.layer_norm(x);
  return attention(net, stride == 1 ? y : halved(net, y), filters);
}

LayerId feed_forward(const Blocks& net, LayerId x) {
  const std::int64_t channels = net.channels(x);
  const LayerId y = net.activation(net.conv(net.layer_norm(x), {.filters = kExpansion * channels}));
  return net.net.add("add", {x, net.conv(y, {.filters = channels})});
}

LayerId block(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride, bool first, bool attends) {
  const LayerId shortcut = first ? projection(net, x, filters, stride) : x;
  const LayerId branch = attends ? attention_branch(net, x, filters, stride) : conv_branch(net, x, filters, stride);
  const LayerId sum = net.net.add("add", {shortcut, branch});
  return attends ? feed_forward(net, sum) : sum;
}

LayerId build(const Blocks& net, LayerId image, const NetworkSizes& sizes, const Variant& variant) {
  const std::int64_t first = is_small_image(net.net, image) ? 1 : 2;
  LayerId x = net.norm_activation(net.conv(image, {.filters = kStem, .kernel = 3, .stride = first}));
  x = net.conv(x, {.filters = kStem, .kernel = 3});
  for (std::size_t stage = 0; stage < variant.blocks.size(); ++stage) {
    for (int i = 0; i < variant.blocks[stage]; ++i) {
      const std::int64_t stride = i > 0 ? 1 : stage == 0 ? first : 2;
      x = block(net, x, variant.filters[stage], stride, i == 0, stage >= 2);
    }
  }
  return net.dense(net.net.add("global_average_pool", {x}), sizes.classes);
}

}  // namespace

LayerId build_coatnet(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .function = parse("gelu_exact(x)")}, image, sizes, kDissertation);
}

LayerId build_coatnet_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .function = parse("gelu_exact(x)"), .normalise = false}, image, sizes, kDissertation);
}

LayerId build_coatnet_0(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .function = parse("gelu_exact(x)")}, image, sizes, kZero);
}

}  // namespace actforge
