// Recurrent layers over sequences [time, channels].
//   simple   h' = tanh(W x + U h + b)
//   LSTM     i, f, g, o = W x + U h + b;   c' = σ(f) c + σ(i) tanh(g);   h' = σ(o) tanh(c')
//   GRU      r, z = σ(W x + U h + b + d);  n = tanh(W x + b + r (U h + d));   h' = (1 - z) n + z h
// The gates stand one after another in the rows of W and U, in this order.
#include "actforge/base/error.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

constexpr AttributeRow kRecurrentRows[] = {
    {"units", AttributeType::kInteger, "", "numbers of the state", 1, 1 << 16},
    {"sequence", AttributeType::kFlag, "false", "give the state at every time, not only the last one"},
};

Signal infer_recurrent(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  if (input.shape.size() != 2 || input.channel_axis != 1 || input.indices) {
    throw Error(ErrorCode::kBadInput,
                "it needs a sequence [time, channels] with the channels last; its input is " + shape_text(input.shape));
  }
  const std::int64_t units = layer.integer("units");
  if (layer.flag("sequence")) return {.shape = {input.shape[0], units}, .channel_axis = 1};
  return {.shape = {units}};
}

std::vector<Weight> recurrent_weights(const LayerSetting& layer, std::int64_t gates) {
  const std::int64_t units = layer.integer("units"), channels = layer.inputs[0].channels();
  return {{.name = "kernel", .shape = {gates * units, channels}, .fan_in = channels, .fan_out = units},
          {.name = "recurrent_kernel",
           .role = WeightRole::kRecurrentKernel,
           .shape = {gates * units, units},
           .fan_in = units,
           .fan_out = units},
          {.name = "bias", .role = WeightRole::kBias, .shape = {gates * units}, .fan_in = channels, .fan_out = units}};
}

std::vector<Weight> lstm_weights(const LayerSetting& layer) { return recurrent_weights(layer, 4); }
std::vector<Weight> simple_weights(const LayerSetting& layer) { return recurrent_weights(layer, 1); }
std::vector<Weight> gru_weights(const LayerSetting& layer) {
  std::vector<Weight> weights = recurrent_weights(layer, 3);
  weights.push_back(weights.back());
  weights.back().name = "recurrent_bias";
  return weights;
}

}  // namespace

const LayerKind kLstmLayer = {.name = "lstm",
                              .summary = "long short-term memory",
                              .family = LayerFamily::kRecurrent,
                              .least_inputs = 1,
                              .most_inputs = 1,
                              .attributes = kRecurrentRows,
                              .infer = infer_recurrent,
                              .weights = lstm_weights,
                              .kernel = KernelUse::kNonlinear};

const LayerKind kGruLayer = {.name = "gru",
                             .summary = "gated recurrent unit",
                             .family = LayerFamily::kRecurrent,
                             .least_inputs = 1,
                             .most_inputs = 1,
                             .attributes = kRecurrentRows,
                             .infer = infer_recurrent,
                             .weights = gru_weights,
                             .kernel = KernelUse::kNonlinear};

const LayerKind kSimpleRnnLayer = {.name = "simple_rnn",
                                   .summary = "recurrent layer with tanh",
                                   .family = LayerFamily::kRecurrent,
                                   .least_inputs = 1,
                                   .most_inputs = 1,
                                   .attributes = kRecurrentRows,
                                   .infer = infer_recurrent,
                                   .weights = simple_weights,
                                   .kernel = KernelUse::kNonlinear};

}  // namespace actforge
