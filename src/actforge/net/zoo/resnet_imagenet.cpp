// Residual networks for large images (He et al. 2016, "Deep Residual Learning for Image Recognition"), as torchvision
// has them: where a bottleneck halves the image, its 3x3 convolution does.
//
// The stem is a 7x7 convolution of stride 2 and a pooling of stride 2. For small images it is a 3x3 convolution of
// stride 1, as usual on CIFAR-10.
#include <array>

#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

struct Variant {
  std::int64_t depth;
  bool bottleneck;
  std::array<int, 4> blocks;
};

constexpr Variant kVariants[] = {
    {18, false, {2, 2, 2, 2}},  {34, false, {3, 4, 6, 3}},  {50, true, {3, 4, 6, 3}},
    {101, true, {3, 4, 23, 3}}, {152, true, {3, 8, 36, 3}},
};

const Variant& find_variant(std::int64_t depth) {
  for (const Variant& variant : kVariants) {
    if (variant.depth == depth) return variant;
  }
  throw Error(ErrorCode::kBadInput,
              "resnet-D exists for D = 18, 34, 50, 101 and 152, not for " + std::to_string(depth));
}

LayerId stem(const Blocks& net, LayerId image) {
  if (is_small_image(net.net, image)) return net.norm_activation(net.conv(image, {.filters = 64, .kernel = 3}));
  const LayerId x = net.norm_activation(net.conv(image, {.filters = 64, .kernel = 7, .stride = 2}));
  return net.max_pool(x, 3, 2, 1);
}

LayerId block(const Blocks& net, LayerId x, std::int64_t narrow, std::int64_t stride, bool bottleneck) {
  const std::int64_t wide = bottleneck ? 4 * narrow : narrow;
  LayerId y = x;
  if (bottleneck) y = net.norm_activation(net.conv(y, {.filters = narrow}));
  y = net.norm_activation(net.conv(y, {.filters = narrow, .kernel = 3, .stride = stride}));
  y = net.batch_norm(net.conv(y, {.filters = wide, .kernel = bottleneck ? 1 : 3}));
  const bool same = net.channels(x) == wide && stride == 1;
  const LayerId shortcut = same ? x : net.batch_norm(net.conv(x, {.filters = wide, .stride = stride}));
  return net.activation(net.net.add("add", {y, shortcut}));
}

}  // namespace

LayerId build_resnet_imagenet(NetworkBuilder& builder, LayerId image, const NetworkSizes& sizes) {
  const Variant& variant = find_variant(sizes.whole(0));
  const Blocks net = {.net = builder};
  LayerId x = stem(net, image);
  std::int64_t narrow = 64;
  for (const int blocks : variant.blocks) {
    for (int i = 0; i < blocks; ++i) x = block(net, x, narrow, i == 0 && narrow > 64 ? 2 : 1, variant.bottleneck);
    narrow *= 2;
  }
  return net.dense(builder.add("global_average_pool", {x}), sizes.classes);
}

}  // namespace actforge
