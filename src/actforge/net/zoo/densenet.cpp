// Densely connected networks (Huang et al. 2017), as torchvision has them.
//
// Every layer of a dense block adds 32 channels to all those before it: normalisation, activation and a 1x1 convolution
// of 128 channels, then the same with a 3x3 convolution of 32. Between blocks a 1x1 convolution halves the channels,
// and a pooling the image. The stem is that of the ResNets, also for small images.
#include <array>

#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr std::int64_t kGrowth = 32, kStem = 2 * kGrowth;

struct Variant {
  std::int64_t depth;
  std::array<int, 4> layers;
};

constexpr Variant kVariants[] = {{121, {6, 12, 24, 16}}, {169, {6, 12, 32, 32}}, {201, {6, 12, 48, 32}}};

const Variant& find_variant(std::int64_t depth) {
  for (const Variant& variant : kVariants) {
    if (variant.depth == depth) return variant;
  }
  throw Error(ErrorCode::kBadInput, "densenet-D exists for D = 121, 169 and 201, not for " + std::to_string(depth));
}

LayerId stem(const Blocks& net, LayerId image) {
  if (is_small_image(net.net, image)) return net.conv(image, {.filters = kStem, .kernel = 3});
  const LayerId x = net.norm_activation(net.conv(image, {.filters = kStem, .kernel = 7, .stride = 2}));
  return net.max_pool(x, 3, 2, 1);
}

LayerId dense_layer(const Blocks& net, LayerId x) {
  LayerId y = net.conv(net.norm_activation(x), {.filters = 4 * kGrowth});
  y = net.conv(net.norm_activation(y), {.filters = kGrowth, .kernel = 3});
  return net.net.add("concatenate", {x, y});
}

LayerId transition(const Blocks& net, LayerId x) {
  return net.net.add("average_pool", {net.conv(net.norm_activation(x), {.filters = net.channels(x) / 2})});
}

}  // namespace

LayerId build_densenet(NetworkBuilder& builder, LayerId image, const NetworkSizes& sizes) {
  const Variant& variant = find_variant(sizes.whole(0));
  const Blocks net = {.net = builder};
  LayerId x = stem(net, image);
  for (std::size_t block = 0; block < variant.layers.size(); ++block) {
    if (block > 0) x = transition(net, x);
    for (int i = 0; i < variant.layers[block]; ++i) x = dense_layer(net, x);
  }
  return net.dense(builder.add("global_average_pool", {net.norm_activation(x)}), sizes.classes);
}

}  // namespace actforge
