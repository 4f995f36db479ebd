#include "actforge/base/error.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {

const LayerExecution& find_layer_execution(const LayerKind& kind) {
  for (const auto& family : {basic_executions(), linear_executions(), pool_executions(), merge_executions(),
                             shape_executions(), recurrent_executions()}) {
    for (const LayerExecution& row : family) {
      if (&row.kind == &kind) return row;
    }
  }
  throw Error(ErrorCode::kFailed, "how layers of kind '" + std::string(kind.name) + "' are executed is not known");
}

LayerFunction make_layer(const LayerSetting& layer, ActivationBackend backend) {
  return find_layer_execution(*layer.kind).make(layer, backend);
}

std::optional<PatchShape> no_patches(const LayerSetting& /*layer*/) { return {}; }

torch::Tensor pad_spatial(const torch::Tensor& x, std::span<const std::int64_t> before,
                          std::span<const std::int64_t> after, double value) {
  std::vector<std::int64_t> pads;  // the last extent first
  for (std::size_t i = before.size(); i-- > 0;) {
    pads.push_back(before[i]);
    pads.push_back(after[i]);
  }
  return torch::constant_pad_nd(x, pads, value);
}

}  // namespace actforge
