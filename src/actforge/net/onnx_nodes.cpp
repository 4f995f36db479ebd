#include "actforge/net/onnx_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/net/onnx_tensor.h"

namespace actforge {
namespace {

const std::map<std::string_view, OnnxHandler> kHandlers = {
    {"Conv", import_conv},
    {"ConvTranspose", import_conv_transpose},
    {"Gemm", import_gemm},
    {"MatMul", import_matmul},
    {"Gather", import_gather},
    {"LSTM", import_lstm},
    {"GRU", import_gru},
    {"RNN", import_rnn},
    {"BatchNormalization", import_batch_norm},
    {"LayerNormalization", import_layer_norm},
    {"InstanceNormalization", import_instance_norm},
    {"GroupNormalization", import_group_norm},
    {"Dropout", import_dropout},
    {"MaxPool", import_max_pool},
    {"AveragePool", import_average_pool},
    {"GlobalMaxPool", import_global_max},
    {"GlobalAveragePool", import_global_average},
    {"ReduceMean", import_reduce_mean},
    {"ReduceSum", import_reduce_sum},
    {"Softmax", import_softmax},
    {"Add", import_add},
    {"Sum", import_add},
    {"Sub", import_sub},
    {"Mul", import_mul},
    {"Div", import_div},
    {"Max", import_max},
    {"Min", import_min},
    {"Mean", import_mean},
    {"Concat", import_concat},
    {"Identity", import_identity},
    {"Cast", import_cast},
    {"Reshape", import_reshape},
    {"Flatten", import_flatten},
    {"Squeeze", import_squeeze},
    {"Unsqueeze", import_unsqueeze},
    {"Transpose", import_transpose},
    {"Slice", import_slice},
    {"Split", import_split},
    {"Pad", import_pad},
    {"Resize", import_resize},
    {"Upsample", import_resize},
};

}  // namespace

OnnxHandler find_onnx_handler(std::string_view op) {
  const auto found = kHandlers.find(op);
  return found == kHandlers.end() ? nullptr : found->second;
}

void OnnxStep::refuse(const std::string& why) const { throw Error(ErrorCode::kBadInput, why); }

void OnnxStep::refuse_weights(std::size_t input) const {
  const OnnxConstant& weights = constant(input);
  const std::string why = "its weights " + dims_text(weights.dims) + " do not fit its input " + dims_text(dims(0));
  if (weights.tensor == nullptr) refuse(why);
  throw OnnxMisfit(why);
}

bool OnnxStep::has_output(std::size_t i) const {
  if (i >= node.outputs.size() || node.outputs[i] == kNoTensor) return false;
  const OnnxTensor& tensor = importer.graph().tensors[node.outputs[i]];
  return !tensor.users.empty() || tensor.is_output;
}

OnnxValue& OnnxStep::value(std::size_t i) const {
  if (!has(i)) refuse("its input " + std::to_string(i) + " is missing");
  return importer.value(node.inputs[i]);
}

OnnxValue& OnnxStep::signal(std::size_t i) const {
  OnnxValue& found = value(i);
  if (!found.is_signal()) refuse("its input " + std::to_string(i) + " does not depend on a sample");
  return found;
}

OnnxConstant& OnnxStep::constant(std::size_t i) const {
  OnnxValue& found = value(i);
  if (!found.is_constant()) refuse("its input " + std::to_string(i) + " is not a constant");
  return found.constant;
}

void OnnxStep::require_batch_first(std::size_t i) const {
  const Dims& extents = dims(i);
  if (extents.size() < 2 || !extents[0].vanishes()) {
    refuse("it needs the samples first, then the channels; its input is " + dims_text(extents));
  }
}

LayerId OnnxStep::layer(std::size_t i, std::optional<std::size_t> channels) const {
  return importer.layer_of(node, signal(i), channels);
}

void OnnxStep::make(std::size_t output, LayerId layer, Dims dims) const {
  if (output < node.outputs.size()) importer.set(node.outputs[output], layer, std::move(dims));
}

void OnnxStep::make_opaque(Dims dims) const {
  if (!importer.add_opaque(node, std::move(dims), false)) refuse("it is not known here");
}

std::optional<std::vector<std::int64_t>> OnnxStep::integers(std::string_view attribute, std::size_t input) const {
  if (auto given = node.integers(attribute)) return given;
  if (!has(input)) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const double number : numbers(input)) {
    result.push_back(static_cast<std::int64_t>(std::clamp(number, -9e18, 9e18)));
  }
  return result;
}

std::vector<double> OnnxStep::numbers(std::size_t input) const {
  const std::vector<Symbol>* symbols = small_numbers(constant(input), importer.folder());
  if (symbols == nullptr) refuse("its input " + std::to_string(input) + " has too many numbers");
  std::vector<double> result;
  for (const Symbol& symbol : *symbols) {
    if (symbol.batch) refuse("its input " + std::to_string(input) + " depends on the number of samples");
    if (std::isnan(symbol.value)) refuse("its input " + std::to_string(input) + " is not a number");
    result.push_back(symbol.value);
  }
  return result;
}

WeightSource OnnxStep::source(std::size_t input) const {
  if (!is_constant(input)) return {};
  const OnnxConstant& given = constant(input);
  if (given.tensor == nullptr || !is_float_type(given.tensor->data_type())) return {};
  return {.tensor = given.tensor, .transposed = given.transposed, .name = given.name};
}

}  // namespace actforge
