// Residual networks for small images (He et al. 2016, "Deep Residual Learning for Image Recognition").
//
// resnet-v1-D, D = 6n+2: a convolution of 16 channels, three stages of n blocks of 16, 32 and 64 channels, a dense
// layer. A block is two 3x3 convolutions, each normalised, with an activation between them and one after the sum. As in
// the example "cifar10_resnet" of Keras, which also has the dissertation's resnet-v2-56 to the last weight,
// convolutions have biases, and where a stage begins the shortcut is a 1x1 convolution; in the paper it is the signal
// at every second place, with zeros for the new channels, and nothing has a bias.
#include "actforge/base/error.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

LayerId conv(NetworkBuilder& net, LayerId x, std::int64_t filters, std::int64_t kernel, std::int64_t stride) {
  return net.add("conv", {x},
                 {{"filters", filters}, {"kernel", kernel}, {"stride", stride}, {"padding", std::string("same")}});
}

// Keras' defaults.
LayerId normalise(NetworkBuilder& net, LayerId x) {
  return net.add("batch_norm", {x}, {{"epsilon", 1e-3}, {"momentum", 0.01}});
}

LayerId block(NetworkBuilder& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  LayerId y = net.add("activation", {normalise(net, conv(net, x, filters, 3, stride))});
  y = normalise(net, conv(net, y, filters, 3, 1));
  const LayerId shortcut = stride == 1 ? x : conv(net, x, filters, 1, stride);
  return net.add("activation", {net.add("add", {shortcut, y})});
}

}  // namespace

LayerId build_resnet_v1(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  constexpr std::int64_t kDeepest = 60'000;
  const std::int64_t depth = sizes.whole(0);
  if (depth < 8 || depth > kDeepest || (depth - 2) % 6 != 0) {
    throw Error(ErrorCode::kBadInput,
                "resnet-v1-D exists for D = 6n+2: 8, 14, 20, ..., 56, ..., not for " + std::to_string(depth));
  }
  LayerId x = net.add("activation", {normalise(net, conv(net, image, 16, 3, 1))});
  for (const std::int64_t filters : {16, 32, 64}) {
    for (std::int64_t i = 0; i < (depth - 2) / 6; ++i) {
      x = block(net, x, filters, i == 0 && filters > 16 ? 2 : 1);
    }
  }
  return net.add("dense", {net.add("global_average_pool", {x})}, {{"units", sizes.classes}});
}

}  // namespace actforge
