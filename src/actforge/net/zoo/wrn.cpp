// Wide residual networks (Zagoruyko and Komodakis 2016).
//
// wrn-D-K, D = 6n+4: a convolution of 16 channels, three stages of n blocks with 16K, 32K and 64K channels, a dense
// layer. A block is normalisation, activation and a 3x3 convolution, twice, with dropout before the second convolution;
// where the number of channels changes, its shortcut is a 1x1 convolution of the signal that the first activation has
// made. Convolutions have no biases. The dissertation's dropout is 0.3.
#include "actforge/base/error.h"
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr double kDropout = 0.3;

LayerId block(const Blocks& net, LayerId x, std::int64_t filters, std::int64_t stride) {
  const LayerId prepared = net.norm_activation(x);
  LayerId y = net.conv(prepared, {.filters = filters, .kernel = 3, .stride = stride});
  y = net.net.add("dropout", {net.norm_activation(y)}, {{"rate", kDropout}});
  y = net.conv(y, {.filters = filters, .kernel = 3});
  const bool same = net.channels(x) == filters && stride == 1;
  const LayerId shortcut = same ? x : net.conv(prepared, {.filters = filters, .stride = stride});
  return net.net.add("add", {shortcut, y});
}

}  // namespace

LayerId build_wrn(NetworkBuilder& builder, LayerId image, const NetworkSizes& sizes) {
  constexpr std::int64_t kDeepest = 60'000, kWidest = 1'000;
  const std::int64_t depth = sizes.whole(0), width = sizes.whole(1);
  if (depth < 10 || depth > kDeepest || (depth - 4) % 6 != 0 || width < 1 || width > kWidest) {
    throw Error(ErrorCode::kBadInput,
                "wrn-D-K exists for D = 6n+4: 10, 16, 22, 28, ..., and K from 1 to 1000, not for " +
                    std::to_string(depth) + " and " + std::to_string(width));
  }
  const Blocks net = {.net = builder};
  LayerId x = net.conv(image, {.filters = 16, .kernel = 3});
  for (const std::int64_t filters : {16 * width, 32 * width, 64 * width}) {
    for (std::int64_t i = 0; i < (depth - 4) / 6; ++i) {
      x = block(net, x, filters, i == 0 && filters > 16 * width ? 2 : 1);
    }
  }
  return net.dense(builder.add("global_average_pool", {net.norm_activation(x)}), sizes.classes);
}

}  // namespace actforge
