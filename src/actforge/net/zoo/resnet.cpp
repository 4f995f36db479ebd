// Pre-activation residual networks (He et al. 2016, "Identity Mappings in Deep Residual Networks").
//
// resnet-v2-D, D = 9n+2: a convolution of 16 channels, three stages of n bottleneck blocks, a dense layer. A block
// narrows by a 1x1 convolution, convolves 3x3, widens by 1x1; each is preceded by normalisation and activation, except
// that the first block of the first stage has just had them. The first block of a stage widens its shortcut by a 1x1
// convolution, and from the second stage on it halves the image. With n = 6 and ten classes that is 1 + 54 + 3 + 1 = 59
// layers of 1,652,938 weights, as the dissertation counts them; convolutions have biases.
#include "actforge/base/error.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

struct Resnet {
  NetworkBuilder& net;
  bool normalise;
  // Keras' defaults, as the dissertation's networks have them.
  double epsilon = 1e-3, momentum = 0.01;

  LayerId conv(LayerId x, std::int64_t filters, std::int64_t kernel, std::int64_t stride = 1) const {
    return net.add("conv", {x},
                   {{"filters", filters}, {"kernel", kernel}, {"stride", stride}, {"padding", std::string("same")}});
  }

  LayerId prepare(LayerId x) const {
    if (normalise) x = net.add("batch_norm", {x}, {{"epsilon", epsilon}, {"momentum", momentum}});
    return net.add("activation", {x});
  }

  LayerId bottleneck(LayerId x, std::int64_t narrow, std::int64_t wide, std::int64_t stride, bool prepared) const {
    LayerId y = conv(prepared ? x : prepare(x), narrow, 1, stride);
    y = conv(prepare(y), narrow, 3);
    return conv(prepare(y), wide, 1);
  }
};

LayerId build(const Resnet& resnet, LayerId image, std::int64_t classes, std::int64_t depth) {
  if (depth < 11 || depth > 9 * 10'000 + 2 || (depth - 2) % 9 != 0) {
    throw Error(ErrorCode::kBadInput,
                "resnet-v2-D exists for D = 9n+2: 11, 20, 29, ..., 56, ..., not for " + std::to_string(depth));
  }
  const std::int64_t blocks = (depth - 2) / 9;
  LayerId x = resnet.prepare(resnet.conv(image, 16, 3));
  std::int64_t narrow = 16;
  for (int stage = 0; stage < 3; ++stage) {
    const std::int64_t wide = stage == 0 ? 4 * narrow : 2 * narrow;
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1;
      const LayerId branch = resnet.bottleneck(x, narrow, wide, stride, stage == 0 && block == 0);
      const LayerId shortcut = block == 0 ? resnet.conv(x, wide, 1, stride) : x;
      x = resnet.net.add("add", {shortcut, branch});
    }
    narrow = wide;
  }
  x = resnet.net.add("global_average_pool", {resnet.prepare(x)});
  return resnet.net.add("dense", {x}, {{"units", classes}});
}

}  // namespace

LayerId build_resnet_v2(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .normalise = true}, image, sizes.classes, sizes.whole(0));
}

LayerId build_resnet_v2_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build({.net = net, .normalise = false}, image, sizes.classes, sizes.whole(0));
}

// Two blocks of two 3x3 convolutions in each of three stages.
namespace {

LayerId build_mini(NetworkBuilder& net, LayerId image, std::int64_t classes, bool normalise) {
  const Resnet resnet = {.net = net, .normalise = normalise, .epsilon = 1e-5, .momentum = 0.1};
  // One zero on every side, where `same` would need a copy.
  const auto conv3 = [&](LayerId x, std::int64_t filters, std::int64_t stride) {
    return net.add("conv", {x},
                   {{"filters", filters},
                    {"kernel", std::int64_t{3}},
                    {"stride", stride},
                    {"padding", std::int64_t{1}},
                    {"bias", false}});
  };
  LayerId x = conv3(image, 16, 1);
  for (const std::int64_t filters : {16, 32, 64}) {
    for (int block = 0; block < 2; ++block) {
      const std::int64_t stride = filters > 16 && block == 0 ? 2 : 1;
      const LayerId prepared = resnet.prepare(x);
      const LayerId branch = conv3(resnet.prepare(conv3(prepared, filters, stride)), filters, 1);
      const LayerId shortcut = stride == 1 ? x : resnet.conv(prepared, filters, 1, stride);
      x = net.add("add", {shortcut, branch});
    }
  }
  x = net.add("global_average_pool", {resnet.prepare(x)});
  return net.add("dense", {x}, {{"units", classes}});
}

}  // namespace

LayerId build_resnet_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build_mini(net, image, sizes.classes, true);
}

LayerId build_resnet_mini_plain(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  return build_mini(net, image, sizes.classes, false);
}

}  // namespace actforge
