// Attention, taken apart into its products.
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

struct Heads {
  std::int64_t count, key, value;  // how many, and numbers of each
  bool bias;
};

Heads read_heads(const KerasCall& call) {
  const KerasConfig& config = call.config;
  Heads heads = {.count = config.integer("num_heads"),
                 .key = config.integer("key_dim"),
                 .value = config.integer("value_dim", config.integer("key_dim")),
                 .bias = config.flag("use_bias", true)};
  for (const std::int64_t number : {heads.count, heads.key, heads.value}) {
    if (number < 1 || number > 1 << 16) refuse("heads and their sizes should be from 1 to 65536");
  }
  return heads;
}

// The tensors that a call names query, value and key, or gives in this order.
std::optional<KerasTensor> operand(const KerasCall& call, std::size_t place, std::string_view key) {
  for (const KerasOperand& given : call.operands) {
    if (given.key == key && given.tensor) return given.tensor;
  }
  if (place < call.operands.size() && call.operands[place].key.empty()) return call.operands[place].tensor;
  return {};
}

// [time, channels] as one matrix [time, size] for each head.
KerasTensor projected(KerasCall& call, const KerasTensor& from, const std::string& name, const Heads& heads,
                      std::int64_t size) {
  std::vector<KerasWeightEntry> places = {{.weight = "kernel", .key = "kernel_initializer", .last = size}};
  if (heads.bias) places.push_back({.weight = "bias", .key = "bias_initializer"});
  const KerasTensor dense = call.add_same("dense", call.in_keras_order(from),
                                          {{"units", heads.count * size}, {"bias", heads.bias}}, name, places);
  const std::int64_t times = call.build.signal(dense.layer).shape[0];
  const KerasTensor split =
      call.add_same("reshape", dense, {{"shape", Shape{times, heads.count, size}}}, name + "/split");
  return call.add_same("permute", split, {{"order", Shape{1, 0, 2}}}, name + "/heads");
}

KerasTensors keras_multi_head_attention(KerasCall& call) {
  const std::optional<KerasTensor> query = operand(call, 0, "query"), value = operand(call, 1, "value");
  if (!query || !value) refuse("it needs a query and a value");
  const KerasTensor key = operand(call, 2, "key").value_or(*value);
  const Shape axes = call.config.list("attention_axes", {1});
  if (query->axes.size() != 2 || value->axes.size() != 2 || key.axes.size() != 2 || axes.size() != 1 ||
      call.axis(axes[0], 2) != 0 || call.config.flag("use_gate", false)) {
    return keras_opaque(call, "attends along other axes than the one of a sequence, which is not modelled");
  }
  const Heads heads = read_heads(call);
  const KerasTensor q = projected(call, *query, "query", heads, heads.key);
  const KerasTensor k = projected(call, key, "key", heads, heads.key);
  const KerasTensor v = projected(call, *value, "value", heads, heads.value);
  const double scale = 1 / std::sqrt(static_cast<double>(heads.key));
  KerasTensor scores = {call.add("matmul", {q, k}, {{"transpose_b", true}, {"scale", scale}}, "scores"), same_axes(3)};
  const KerasTensor weights = call.add_same("softmax", scores, {}, "weights");
  KerasTensor kept = weights;
  if (const double rate = call.config.number("dropout", 0); rate > 0) {
    kept = call.add_same("dropout", weights, {{"rate", rate}}, "dropout");
  }
  KerasTensor mixed = {call.add("matmul", {kept, v}, {}, "mixed"), same_axes(3)};
  mixed = call.add_same("permute", mixed, {{"order", Shape{1, 0, 2}}}, "mixed/heads");
  const std::int64_t times = keras_shape(call.build, *query)[0];
  const LayerId joined =
      call.add("reshape", {mixed}, {{"shape", Shape{times, heads.count * heads.value}}}, "mixed/joined");
  const Shape given = call.config.list("output_shape", {keras_shape(call.build, *query)[1]});
  if (given.size() != 1) refuse("its output_shape should be one number");
  std::vector<KerasWeightEntry> places = {{.weight = "kernel", .key = "kernel_initializer", .last = given[0]}};
  if (heads.bias) places.push_back({.weight = "bias", .key = "bias_initializer"});
  const LayerId output =
      call.add("dense", {{joined, {}}}, {{"units", given[0]}, {"bias", heads.bias}}, "attention_output", places);
  return {{output, same_axes(2)}, weights};
}

KerasTensors keras_attention(KerasCall& call) {
  if (call.inputs.size() < 2 || call.inputs.size() > 3) refuse("it takes a query, a value and perhaps a key");
  const KerasTensor key = call.inputs.size() == 3 ? call.inputs[2] : call.inputs[1];
  if (call.inputs[0].axes.size() != 2 || call.inputs[1].axes.size() != 2 || key.axes.size() != 2 ||
      call.class_name != "Attention" || call.config.text("score_mode", "dot") != "dot") {
    Shape shape = keras_shape(call.build, call.inputs[0]);
    shape.back() = keras_shape(call.build, call.inputs[1]).back();
    return keras_opaque(call, "is attention of another kind, which is not modelled", shape);
  }
  if (call.config.flag("use_scale", false)) call.note("scales its scores by a learned number; 1 is taken");
  const KerasTensor query = call.in_keras_order(call.inputs[0]), value = call.in_keras_order(call.inputs[1]);
  const KerasTensor scores = {call.add("matmul", {query, call.in_keras_order(key)}, {{"transpose_b", true}}, "scores"),
                              same_axes(2)};
  const KerasTensor weights = call.add_same("softmax", scores, {}, "weights");
  return {{call.add("matmul", {weights, value}), same_axes(2)}, weights};
}

constexpr KerasLayerRow kRows[] = {
    {"MultiHeadAttention", keras_multi_head_attention},
    {"Attention", keras_attention},
    {"AdditiveAttention", keras_attention},
};

}  // namespace

std::span<const KerasLayerRow> keras_attention_layers() { return kRows; }

}  // namespace actforge
