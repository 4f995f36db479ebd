#include "actforge/base/error.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {

LayerId build_mlp(NetworkBuilder& net, LayerId image, const NetworkSizes& sizes) {
  constexpr std::int64_t kDeepest = 10'000;
  const std::int64_t depth = sizes.whole(0), width = sizes.whole(1);
  if (depth > kDeepest || width < 1) {
    throw Error(ErrorCode::kBadInput, "mlp-D-W has up to 10000 hidden layers of at least one unit");
  }
  LayerId x = net.add("flatten", {image});
  for (std::int64_t i = 0; i < depth; ++i) {
    x = net.add("dense", {x}, {{"units", width}});
    x = net.add("activation", {x});
  }
  return net.add("dense", {x}, {{"units", sizes.classes}});
}

}  // namespace actforge
