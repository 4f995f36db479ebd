// All-CNN-C (Springenberg et al. 2015) as the code in the dissertation's appendix "Implementing Custom Activation
// Functions" has it, and a small cousin.
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

LayerId conv(NetworkBuilder& net, LayerId x, std::int64_t filters, std::int64_t kernel, std::int64_t stride) {
  const std::string padding = kernel == 1 ? "valid" : "same";  // the same numbers; the appendix says so
  return net.add("conv", {x}, {{"filters", filters}, {"kernel", kernel}, {"stride", stride}, {"padding", padding}});
}

LayerId conv_activation(NetworkBuilder& net, LayerId x, std::int64_t filters, std::int64_t kernel,
                        std::int64_t stride) {
  return net.add("activation", {conv(net, x, filters, kernel, stride)});
}

}  // namespace

LayerId build_allcnn_c(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  LayerId x = conv_activation(net, image, 96, 3, 1);
  x = conv_activation(net, x, 96, 3, 1);
  x = conv(net, x, 96, 3, 2);  // the appendix has no activation here
  x = net.add("dropout", {x}, {{"rate", 0.5}});
  x = conv_activation(net, x, 192, 3, 1);
  x = conv_activation(net, x, 192, 3, 1);
  x = conv_activation(net, x, 192, 3, 2);
  x = net.add("dropout", {x}, {{"rate", 0.5}});
  x = conv_activation(net, x, 192, 3, 1);
  x = conv_activation(net, x, 192, 1, 1);
  x = conv_activation(net, x, sizes.classes, 1, 1);
  x = net.add("global_average_pool", {x});
  return net.add("flatten", {x});
}

LayerId build_allcnn_mini(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  LayerId x = image;
  for (const std::int64_t filters : {16, 32}) {
    for (const std::int64_t stride : {1, 1, 2}) {
      // One zero on every side, where `same` would put the only one at the end of an even extent: no copy is needed.
      x = net.add(
          "conv", {x},
          {{"filters", filters}, {"kernel", std::int64_t{3}}, {"stride", stride}, {"padding", std::int64_t{1}}});
      x = net.add("activation", {x});
    }
  }
  x = net.add("conv", {x}, {{"filters", sizes.classes}, {"kernel", std::int64_t{1}}});
  return net.add("global_average_pool", {x});
}

}  // namespace actforge
