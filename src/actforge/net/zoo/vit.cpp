// A small vision transformer (Dosovitskiy et al. 2021), pre-normalised, the mean of its tokens instead of a class
// token.
#include <algorithm>
#include <cmath>

#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr std::int64_t kWidth = 64, kHeads = 4, kHeadWidth = kWidth / kHeads, kBlocks = 3;

LayerId dense(NetworkBuilder& net, LayerId x, std::int64_t units) { return net.add("dense", {x}, {{"units", units}}); }

// [tokens, width] as one matrix [tokens, width / heads] for each head.
LayerId split_heads(NetworkBuilder& net, LayerId x) {
  const std::int64_t tokens = net.signal(x).shape[0];
  x = net.add("reshape", {x}, {{"shape", Shape{tokens, kHeads, kHeadWidth}}});
  return net.add("permute", {x}, {{"order", Shape{1, 0, 2}}});
}

LayerId attention(NetworkBuilder& net, LayerId x) {
  const LayerId query = split_heads(net, dense(net, x, kWidth));
  const LayerId key = split_heads(net, dense(net, x, kWidth));
  const LayerId value = split_heads(net, dense(net, x, kWidth));
  const double scale = 1 / std::sqrt(static_cast<double>(kHeadWidth));
  const LayerId scores = net.add("matmul", {query, key}, {{"transpose_b", true}, {"scale", scale}});
  LayerId y = net.add("matmul", {net.add("softmax", {scores}), value});
  y = net.add("permute", {y}, {{"order", Shape{1, 0, 2}}});
  y = net.add("reshape", {y}, {{"shape", Shape{net.signal(x).shape[0], kWidth}}});
  return dense(net, y, kWidth);
}

LayerId feed_forward(NetworkBuilder& net, LayerId x) {
  x = net.add("activation", {dense(net, x, 2 * kWidth)});
  return dense(net, x, kWidth);
}

}  // namespace

LayerId build_vit_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  // Patches of 2x2 for 8x8 images and of 4x4 for 28x28 and 32x32: 16, 49 and 64 tokens.
  const Shape& shape = net.signal(image).shape;
  const std::int64_t patch = shape.size() == 3 && std::min(shape[1], shape[2]) < 16 ? 2 : 4;
  LayerId x = net.add("conv", {image}, {{"filters", kWidth}, {"kernel", patch}, {"stride", patch}}, "patches");
  x = net.add("reshape", {x}, {{"shape", Shape{kWidth, -1}}, {"channels", std::string("0")}});
  x = net.add("permute", {x}, {{"order", Shape{1, 0}}});
  x = net.add("position_embedding", {x});
  for (std::int64_t block = 0; block < kBlocks; ++block) {
    x = net.add("add", {x, attention(net, net.add("layer_norm", {x}))});
    x = net.add("add", {x, feed_forward(net, net.add("layer_norm", {x}))});
  }
  x = net.add("reduce_mean", {net.add("layer_norm", {x})}, {{"axes", Shape{0}}});
  return dense(net, x, sizes.classes);
}

}  // namespace actforge
