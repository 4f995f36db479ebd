// Normalisations, and what is different while training only.
#include "actforge/base/error.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

// The one axis that a setting names; nothing where it names several.
std::optional<std::size_t> single_axis(const KerasCall& call) {
  const Shape axes = call.config.list("axis", {-1});
  if (axes.size() != 1) return {};
  return call.axis(axes[0], call.rank());
}

void note_missing(KerasCall& call) {
  if (!call.config.flag("center", true) || !call.config.flag("scale", true)) {
    call.note("has no gain or no offset in the file; both are counted here");
  }
}

KerasTensors keras_batch_norm(KerasCall& call) {
  const std::optional<std::size_t> axis = single_axis(call);
  if (!axis) return keras_opaque(call, "normalises over several axes, which is not modelled");
  note_missing(call);
  return {call.add_same(
      "batch_norm", call.with_channels(call.input(), *axis),
      {{"epsilon", call.config.number("epsilon", 1e-3)}, {"momentum", 1 - call.config.number("momentum", 0.99)}})};
}

KerasTensors keras_layer_norm(KerasCall& call) {
  const std::optional<std::size_t> axis = single_axis(call);
  if (!axis || call.config.flag("rms_scaling", false)) {
    return keras_opaque(call, "is a normalisation of another kind, which is not modelled");
  }
  note_missing(call);
  return {call.add_same("layer_norm", call.with_channels(call.input(), *axis),
                        {{"epsilon", call.config.number("epsilon", 1e-3)}})};
}

KerasTensors keras_group_norm(KerasCall& call) {
  const std::optional<std::size_t> axis = single_axis(call);
  if (!axis) return keras_opaque(call, "normalises over several axes, which is not modelled");
  note_missing(call);
  const KerasTensor input = call.channels_first(call.input(), *axis);
  std::int64_t groups = call.config.integer("groups", 32);
  if (groups == -1) groups = call.build.signal(input.layer).channels();
  return {call.add_same("group_norm", input, {{"groups", groups}, {"epsilon", call.config.number("epsilon", 1e-3)}})};
}

KerasTensors keras_dropout(KerasCall& call) {
  return {call.add_same("dropout", call.input(), {{"rate", call.config.number("rate", 0.5)}})};
}

KerasTensors keras_spatial_dropout(KerasCall& call) {
  const KerasTensor input = call.with_channels(call.input(), call.channel_axis(call.rank()));
  return {call.add_same("spatial_dropout", input, {{"rate", call.config.number("rate", 0.5)}})};
}

KerasTensors keras_noise(KerasCall& call) {
  return keras_opaque(call, "makes noise while training, which is not modelled");
}

KerasTensors keras_identity(KerasCall& call) { return {call.input()}; }

constexpr KerasLayerRow kRows[] = {
    {"BatchNormalization", keras_batch_norm},
    {"SyncBatchNormalization", keras_batch_norm},
    {"LayerNormalization", keras_layer_norm},
    {"GroupNormalization", keras_group_norm},
    {"Dropout", keras_dropout},
    {"SpatialDropout1D", keras_spatial_dropout},
    {"SpatialDropout2D", keras_spatial_dropout},
    {"SpatialDropout3D", keras_spatial_dropout},
    {"GaussianNoise", keras_noise},
    {"GaussianDropout", keras_noise},
    {"AlphaDropout", keras_noise},
    {"ActivityRegularization", keras_identity},
    {"Masking", keras_identity},
    {"Identity", keras_identity},
    {"Cast", keras_identity},
    {"StopGradient", keras_identity},
};

}  // namespace

std::span<const KerasLayerRow> keras_norm_layers() { return kRows; }

}  // namespace actforge
