// Recurrent layers, and layers around another layer.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/activations.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

struct RecurrentRow {
  std::string_view class_name, kind;
  std::int64_t gates;
};
constexpr RecurrentRow kRecurrent[] = {{"LSTM", "lstm", 4}, {"GRU", "gru", 3}, {"SimpleRNN", "simple_rnn", 1}};

const RecurrentRow* find_recurrent(std::string_view class_name) {
  for (const RecurrentRow& row : kRecurrent) {
    if (row.class_name == class_name) return &row;
  }
  return nullptr;
}

// Keras 2 has hard_sigmoid as the gate of its first layers, which is near enough to say so.
void note_functions(KerasCall& call, const RecurrentRow& row) {
  const auto differs = [&](std::string_view key, std::string_view usual) {
    const KerasJson* given = call.config.find(key);
    return given != nullptr && !(given->is_string() && given->get<std::string>() == usual);
  };
  if (differs("activation", "tanh")) call.note("has another activation than tanh; tanh is taken");
  if (row.gates > 1 && differs("recurrent_activation", "sigmoid")) {
    call.note("has another recurrent activation than sigmoid; sigmoid is taken");
  }
  if (!call.config.flag("use_bias", true)) call.note("has no bias in the file; one is counted here");
  if (row.kind == "gru" && !call.config.flag("reset_after", true)) {
    call.note("has one bias in the file (reset_after is false); two are counted here");
  }
}

std::vector<KerasWeightEntry> recurrent_places(const RecurrentRow& row, std::int64_t units) {
  return {{.weight = "kernel", .key = "kernel_initializer", .last = row.gates * units},
          {.weight = "recurrent_kernel", .key = "recurrent_initializer", .last = row.gates * units},
          {.weight = "bias", .key = "bias_initializer"}};
}

// The settings of a layer that is wrapped by another one, as a call of its own.
std::optional<KerasCall> inner_call(const KerasCall& call, std::string_view key, std::string_view suffix) {
  const KerasJson* layer = call.config.find(key);
  if (layer == nullptr) return {};
  const KerasConfig object(*layer);
  const KerasJson* config = object.find("config");
  if (config == nullptr) refuse("'" + std::string(key) + "' has no 'config'");
  KerasCall inner = call;
  inner.class_name = object.text("class_name");
  if (!config->is_object()) return {};
  inner.config = KerasConfig(*config);
  inner.config_place = call.config_place / std::string(key) / "config";
  if (!suffix.empty()) inner.name = call.name + "/" + std::string(suffix);
  return inner;
}

KerasTensors keras_recurrent(KerasCall& call) {
  const RecurrentRow* row = find_recurrent(call.class_name);
  if (row == nullptr) refuse("there is no recurrent layer " + call.class_name);
  if (call.rank() != 2) refuse("it needs a sequence [time, channels]; its input is " + shape_text(call.shape()));
  note_functions(call, *row);
  const std::int64_t units = call.config.integer("units");
  if (units < 1 || units > 1 << 16) refuse("'units' should be from 1 to 65536");
  const bool sequence = call.config.flag("return_sequences", false);
  const LayerId layer = call.add(row->kind, {call.in_keras_order(call.input())},
                                 {{"units", units}, {"sequence", sequence}}, {}, recurrent_places(*row, units));
  KerasTensor output = {layer, same_axes(sequence ? 2 : 1)};
  if (call.inputs.size() > 1) {
    const Signal& signal = call.build.signal(layer);
    KerasTensors from = call.inputs;
    from[0] = output;
    output.layer = call.add("opaque", from,
                            {{"type", std::string("initial_state")},
                             {"shape", signal.shape},
                             {"channels", std::to_string(signal.channel_axis)}},
                            "state");
    call.note("begins with a state that the model computes; what that changes is not modelled");
  }
  KerasTensors outputs = {output};
  if (!call.config.flag("return_state", false)) return outputs;
  for (std::size_t i = 0; i < (row->gates == 4 ? 2u : 1u); ++i) {
    const Attributes attributes = {{"type", std::string("state")}, {"shape", Shape{units}}};
    outputs.push_back(
        i == 0 && !sequence ? output : KerasTensor{call.add("opaque", {output}, attributes, "last"), same_axes(1)});
  }
  return outputs;
}

KerasTensors keras_bidirectional(KerasCall& call) {
  std::optional<KerasCall> forward = inner_call(call, "layer", "forward");
  // Keras 2 leaves it out where it is a copy of the other one.
  const bool both = call.config.find("backward_layer") != nullptr;
  std::optional<KerasCall> backward = inner_call(call, both ? "backward_layer" : "layer", "backward");
  const bool known = forward && backward && find_recurrent(forward->class_name) != nullptr &&
                     find_recurrent(backward->class_name) != nullptr;
  if (!known || call.inputs.size() != 1 || forward->config.flag("return_state", false))
    return unknown_keras_layer(call);
  const KerasTensor a = keras_recurrent(*forward)[0], b = keras_recurrent(*backward)[0];
  const std::string mode = call.config.text("merge_mode", "none");
  if (mode == "concat") return {{call.add("concatenate", {a, b}), a.axes}};
  if (mode == "sum") return {{call.add("add", {a, b}), a.axes}};
  if (mode == "mul") return {{call.add("multiply", {a, b}), a.axes}};
  if (mode == "ave") return {{call.add("average", {a, b}), a.axes}};
  if (mode != "none") refuse("unknown merge_mode '" + mode + "'");
  return {a, b};
}

KerasTensors keras_time_distributed(KerasCall& call) {
  constexpr std::string_view kEachPlace[] = {"Dense",     "Activation", "Dropout", "LayerNormalization",
                                             "LeakyReLU", "ReLU",       "ELU"};
  std::optional<KerasCall> inner = inner_call(call, "layer", {});
  if (inner && std::find(std::begin(kEachPlace), std::end(kEachPlace), inner->class_name) != std::end(kEachPlace)) {
    return find_keras_layer(inner->class_name)(*inner);
  }
  if (inner && inner->class_name == "Flatten" && call.rank() > 1) {
    const Shape shape = call.shape();
    const LayerId layer = call.add("reshape", {call.in_keras_order(call.input())}, {{"shape", Shape{shape[0], -1}}});
    return {{layer, same_axes(2)}};
  }
  return keras_opaque(call, "applies a layer at each time, which is not modelled");
}

constexpr KerasLayerRow kRows[] = {
    {"LSTM", keras_recurrent},
    {"GRU", keras_recurrent},
    {"SimpleRNN", keras_recurrent},
    {"Bidirectional", keras_bidirectional},
    {"TimeDistributed", keras_time_distributed},
};

}  // namespace

std::span<const KerasLayerRow> keras_recurrent_layers() { return kRows; }

}  // namespace actforge
