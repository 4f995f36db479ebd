#include "actforge/net/zoo/blocks.h"

#include <algorithm>

#include "actforge/base/error.h"

namespace actforge {

LayerId Blocks::conv(LayerId x, const ConvOptions& options) const {
  return net.add("conv", {x},
                 {{"filters", options.filters},
                  {"kernel", options.kernel},
                  {"stride", options.stride},
                  {"padding", options.kernel / 2},
                  {"bias", options.bias}});
}

LayerId Blocks::depthwise_conv(LayerId x, std::int64_t kernel, std::int64_t stride) const {
  return net.add("depthwise_conv", {x},
                 {{"kernel", kernel}, {"stride", stride}, {"padding", kernel / 2}, {"bias", false}});
}

LayerId Blocks::dense(LayerId x, std::int64_t units) const { return net.add("dense", {x}, {{"units", units}}); }

LayerId Blocks::batch_norm(LayerId x) const { return normalise ? net.add("batch_norm", {x}) : x; }

LayerId Blocks::layer_norm(LayerId x) const { return normalise ? net.add("layer_norm", {x}) : x; }

LayerId Blocks::activation(LayerId x) const { return net.add("activation", {x}, {{"function", function}}); }

LayerId Blocks::max_pool(LayerId x, std::int64_t size, std::int64_t stride, std::int64_t padding) const {
  return net.add("max_pool", {x}, {{"size", size}, {"stride", stride}, {"padding", padding}});
}

bool is_small_image(const NetworkBuilder& net, LayerId image) {
  constexpr std::int64_t kSmall = 64;
  const Shape& shape = net.signal(image).shape;
  if (shape.size() != 3) {
    throw Error(ErrorCode::kBadInput, "it takes images, such as 3x224x224, not " + shape_text(shape));
  }
  return std::min(shape[1], shape[2]) < kSmall;
}

std::int64_t round_channels(double channels) {
  const auto rounded = std::max<std::int64_t>(8, static_cast<std::int64_t>(channels + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

}  // namespace actforge
