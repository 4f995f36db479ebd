// VGG (Simonyan and Zisserman 2015), as torchvision has it: 3x3 convolutions with biases in five stages, each followed
// by a pooling that halves the image, then two dense layers of 4096 units with dropout, and the last one.
//
// For small images the two wide dense layers are left out, as usual on CIFAR-10, and what is left of the image is
// averaged. A pooling that would leave nothing is left out too.
#include <algorithm>
#include <array>

#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

struct Variant {
  std::int64_t depth;
  std::array<int, 5> convolutions;  // of each stage
};

constexpr Variant kVariants[] = {
    {11, {1, 1, 2, 2, 2}}, {13, {2, 2, 2, 2, 2}}, {16, {2, 2, 3, 3, 3}}, {19, {2, 2, 4, 4, 4}}};

constexpr std::array<std::int64_t, 5> kFilters = {64, 128, 256, 512, 512};

const Variant& find_variant(std::int64_t depth) {
  for (const Variant& variant : kVariants) {
    if (variant.depth == depth) return variant;
  }
  throw Error(ErrorCode::kBadInput, "vgg-D exists for D = 11, 13, 16 and 19, not for " + std::to_string(depth));
}

LayerId features(const Blocks& net, LayerId x, const Variant& variant) {
  for (std::size_t stage = 0; stage < kFilters.size(); ++stage) {
    for (int i = 0; i < variant.convolutions[stage]; ++i) {
      x = net.norm_activation(net.conv(x, {.filters = kFilters[stage], .kernel = 3, .bias = true}));
    }
    if (std::min(net.shape(x)[1], net.shape(x)[2]) > 1) x = net.max_pool(x, 2, 2, 0);
  }
  return x;
}

LayerId classifier(const Blocks& net, LayerId x) {
  x = net.net.add("flatten", {x});
  for (int i = 0; i < 2; ++i) {
    x = net.net.add("dropout", {net.activation(net.dense(x, 4096))}, {{"rate", 0.5}});
  }
  return x;
}

LayerId build(const Blocks& net, LayerId image, const NetworkSizes& sizes) {
  const bool small = is_small_image(net.net, image);
  const LayerId x = features(net, image, find_variant(sizes.whole(0)));
  return net.dense(small ? net.net.add("global_average_pool", {x}) : classifier(net, x), sizes.classes);
}

}  // namespace

LayerId build_vgg(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .normalise = false}, image, sizes);
}

LayerId build_vgg_normalised(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net}, image, sizes);
}

}  // namespace actforge
