#include "actforge/onnx/nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

std::map<std::string_view, OnnxHandler> all_handlers() {
  std::map<std::string_view, OnnxHandler> handlers;
  for (const auto& family : {onnx_linear_nodes(), onnx_recurrent_nodes(), onnx_norm_nodes(), onnx_pool_nodes(),
                             onnx_merge_nodes(), onnx_shape_nodes(), onnx_cut_nodes()}) {
    for (const OnnxNodeRow& row : family) handlers.emplace(row.op, row.handler);
  }
  return handlers;
}

}  // namespace

OnnxHandler find_onnx_handler(std::string_view op) {
  static const std::map<std::string_view, OnnxHandler> kHandlers = all_handlers();
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
