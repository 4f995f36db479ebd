// MobileViTv2 (Mehta and Rastegari 2022, "Separable Self-attention for Mobile Vision Transformers"), as timm has it.
// With W = 0.5 and ten classes it has the 65 layers of 1,104,227 weights that the dissertation's features are made of.
//
// A stem, two stages of inverted residual blocks, and three stages of one such block and a MobileViT block, whose
// attention takes time in proportion to the number of places. It looks at images as patches of 2x2 pixels, and has each
// of the four attend to the same one of all other patches. An image of odd extents is made larger by one pixel.
//
// Five layers halve the image. For small ones the first two of them, in the stem and in the second stage, do not.
#include <array>

#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr std::int64_t kPatch = 2, kExpansion = 2;

LayerId conv_norm_activation(const Blocks& net, LayerId x, const ConvOptions& options) {
  return net.norm_activation(net.conv(x, options));
}

// Wider by a 1x1 convolution, 3x3 for each channel, narrower by 1x1.
LayerId inverted_residual(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  const std::int64_t wide = round_channels(static_cast<double>(kExpansion * net.channels(x)));
  LayerId y = conv_norm_activation(net, x, {.filters = wide});
  y = net.norm_activation(net.depthwise_conv(y, 3, stride));
  y = net.batch_norm(net.conv(y, {.filters = filters}));
  return net.channels(x) == filters && stride == 1 ? net.net.add("add", {y, x}) : y;
}

// One normalisation for all numbers of a sample.
LayerId group_norm(const Blocks& net, LayerId x) {
  return net.net.add("group_norm", {x}, {{"groups", std::int64_t{1}}});
}

LayerId slice(const Blocks& net, LayerId x, std::int64_t begin, std::int64_t length) {
  return net.net.add("slice", {x}, {{"begin", begin}, {"length", length}});
}

// Over [channels, pixels of a patch, patches]: one score per place says how much of its key goes into a sum over all
// patches, the context, by which the values of every place are multiplied. The values' ReLU is part of the attention.
LayerId linear_attention(const Blocks& net, LayerId x) {
  const std::int64_t channels = net.channels(x);
  const LayerId projected = net.conv(x, {.filters = 1 + 2 * channels, .bias = true});
  const LayerId scores = net.net.add("softmax", {slice(net, projected, 0, 1)});
  const LayerId keys = slice(net, projected, 1, channels);
  const LayerId weighted = net.net.add("multiply", {keys, scores});
  const LayerId context = net.net.add("reduce_sum", {weighted}, {{"axes", Shape{2}}, {"keep", true}});
  const LayerId values = net.net.add("activation", {slice(net, projected, 1 + channels, channels)},
                                     {{"function", parse("relu(x)")}, {"fixed", true}});
  return net.conv(net.net.add("multiply", {values, context}), {.filters = channels, .bias = true});
}

LayerId transformer(const Blocks& net, LayerId x) {
  const std::int64_t channels = net.channels(x);
  x = net.net.add("add", {x, linear_attention(net, group_norm(net, x))});
  LayerId y = net.activation(net.conv(group_norm(net, x), {.filters = kExpansion * channels, .bias = true}));
  y = net.conv(y, {.filters = channels, .bias = true});
  return net.net.add("add", {x, y});
}

LayerId resized_to_patches(const Blocks& net, LayerId x) {
  const Shape& image = net.shape(x);
  const auto up = [](std::int64_t extent) { return (extent + kPatch - 1) / kPatch * kPatch; };
  const Shape size = {up(image[1]), up(image[2])};
  return size == Shape{image[1], image[2]} ? x : net.net.add("resize", {x}, {{"size", size}});
}

LayerId reshape(const Blocks& net, LayerId x, const Shape& shape) {
  return net.net.add("reshape", {x}, {{"shape", shape}, {"channels", std::int64_t{0}}});
}

LayerId mobilevit_block(const Blocks& net, LayerId x, int depth) {
  const std::int64_t filters = net.channels(x);
  x = resized_to_patches(net, x);
  x = net.norm_activation(net.depthwise_conv(x, 3, 1));
  const std::int64_t channels = round_channels(static_cast<double>(filters) / 2);
  x = net.conv(x, {.filters = channels});

  // [channels, height, width] to [channels, pixels, patches]
  const std::int64_t height = net.shape(x)[1], width = net.shape(x)[2];
  const std::int64_t rows = height / kPatch, columns = width / kPatch;
  x = reshape(net, x, {channels, rows, kPatch, columns, kPatch});
  x = net.net.add("permute", {x}, {{"order", Shape{0, 2, 4, 1, 3}}});
  x = reshape(net, x, {channels, kPatch * kPatch, rows * columns});
  for (int i = 0; i < depth; ++i) x = transformer(net, x);
  x = group_norm(net, x);
  // and back
  x = reshape(net, x, {channels, kPatch, kPatch, rows, columns});
  x = net.net.add("permute", {x}, {{"order", Shape{0, 3, 1, 4, 2}}});
  x = reshape(net, x, {channels, height, width});
  return net.batch_norm(net.conv(x, {.filters = filters}));
}

}  // namespace

LayerId build_mobilevitv2(NetworkBuilder& builder, LayerId image, const NetworkSizes& sizes) {
  const double width = sizes.numbers[0];
  if (width < 0.1 || width > 16) {
    throw Error(ErrorCode::kBadInput, "mobilevitv2-W exists for W from 0.1 to 16: 0.5, 0.75, 1, ..., 2");
  }
  const auto wide = [&](double channels) { return static_cast<std::int64_t>(width * channels); };
  const std::int64_t first = is_small_image(builder, image) ? 1 : 2;
  const Blocks net = {.net = builder, .function = parse("swish(x)")};
  LayerId x = conv_norm_activation(net, image, {.filters = wide(32), .kernel = 3, .stride = first});
  x = inverted_residual(net, x, wide(64), 1);
  x = inverted_residual(net, x, wide(128), first);
  x = inverted_residual(net, x, wide(128), 1);
  constexpr std::array<double, 3> kFilters = {256, 384, 512};
  constexpr std::array<int, 3> kDepths = {2, 4, 3};
  for (std::size_t stage = 0; stage < kFilters.size(); ++stage) {
    x = mobilevit_block(net, inverted_residual(net, x, wide(kFilters[stage]), 2), kDepths[stage]);
  }
  return net.dense(builder.add("global_average_pool", {x}), sizes.classes);
}

}  // namespace actforge
