#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/layer_call.h"

namespace actforge {
namespace {

using torch::Tensor;

struct Recurrent {
  std::int64_t units;
  bool sequence;

  explicit Recurrent(const LayerSetting& layer) : units(layer.integer("units")), sequence(layer.flag("sequence")) {}

  Tensor no_state(const LayerCall& run) const {
    return torch::zeros({1, run.inputs[0].size(0), units}, run.inputs[0].options());
  }
  // LibTorch adds a second bias to the state; where the layer has none, it is zero.
  std::vector<Tensor> parameters(const LayerCall& run) const {
    const auto& w = run.weights;
    return {w[0], w[1], w[2], w.size() > 3 ? w[3] : torch::zeros_like(w[2])};
  }
  Tensor answer(const Tensor& states) const { return sequence ? states : states.select(1, states.size(1) - 1); }
};

LayerFunction make_lstm(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [r = Recurrent(layer)](const LayerCall& run) {
    const std::vector<Tensor> state = {r.no_state(run), r.no_state(run)};
    return r.answer(std::get<0>(
        torch::lstm(run.inputs[0], state, r.parameters(run), true, 1, 0.0, run.training, false, /*batch_first=*/true)));
  };
}

LayerFunction make_gru(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [r = Recurrent(layer)](const LayerCall& run) {
    return r.answer(std::get<0>(torch::gru(run.inputs[0], r.no_state(run), r.parameters(run), true, 1, 0.0,
                                           run.training, false, /*batch_first=*/true)));
  };
}

LayerFunction make_simple_rnn(const LayerSetting& layer, ActivationBackend /*backend*/) {
  return [r = Recurrent(layer)](const LayerCall& run) {
    return r.answer(std::get<0>(torch::rnn_tanh(run.inputs[0], r.no_state(run), r.parameters(run), true, 1, 0.0,
                                                run.training, false, /*batch_first=*/true)));
  };
}

constexpr LayerExecution kRows[] = {
    {kLstmLayer, make_lstm, no_patches},
    {kGruLayer, make_gru, no_patches},
    {kSimpleRnnLayer, make_simple_rnn, no_patches},
};

}  // namespace

std::span<const LayerExecution> recurrent_executions() { return kRows; }

}  // namespace actforge
