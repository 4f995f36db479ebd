// Nodes that bring signals together, number by number or one after another.
#include <algorithm>

#include "actforge/onnx/nodes.h"

namespace actforge {
namespace {

// The inputs as layers with equally many extents that count their channels in the same place: that of the first signal
// which is not repeated.
struct Operands {
  std::vector<LayerId> layers = {};
  Dims dims = {};
};

std::size_t common_channels(const OnnxStep& step, const Dims& whole) {
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    if (!step.is_signal(i)) continue;
    const OnnxValue& value = step.signal(i);
    const Signal& signal = step.importer.builder().signal(value.layer);
    if (signal.shape == sample_shape(whole)) return signal.channel_axis;
  }
  // A constant with a single extent that is not 1 has a number per channel.
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    if (!step.is_constant(i)) continue;
    const Shape shape = aligned_sample(step.constant(i).dims, whole);
    const auto is_one = [](std::int64_t extent) { return extent == 1; };
    const auto channels = std::find_if_not(shape.begin(), shape.end(), is_one);
    if (channels != shape.end() && std::all_of(channels + 1, shape.end(), is_one)) {
      return static_cast<std::size_t>(channels - shape.begin());
    }
  }
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    if (!step.is_signal(i)) continue;
    const LayerId layer =
        step.importer.layer_as(step.node, step.signal(i).layer, aligned_sample(step.dims(i), whole), std::nullopt);
    return step.importer.builder().signal(layer).channel_axis;
  }
  return 0;
}

// `inverted`: a constant that is one over each number of the input of this number.
Operands read_operands(OnnxStep& step, std::size_t inverted = SIZE_MAX) {
  std::vector<Dims> all;
  bool any = false;
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    const OnnxValue& value = step.value(i);
    if (value.kind == OnnxValue::Kind::kUnknown) step.refuse("its input " + std::to_string(i) + " is not known");
    any = any || value.is_signal();
    all.push_back(value.extents());
    // A constant that is repeated for all samples has one of them.
    for (Dim& dim : all.back()) {
      if (value.is_constant() && dim.batch) dim = {};
    }
  }
  if (!any) step.refuse("it computes with constants alone");
  Operands result = {.dims = broadcast_dims(all)};
  const std::size_t channels = common_channels(step, result.dims);
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    if (step.is_constant(i)) {
      result.layers.push_back(
          step.importer.constant_layer(step.node, step.constant(i), result.dims, channels, i == inverted));
      continue;
    }
    result.layers.push_back(
        step.importer.layer_as(step.node, step.signal(i).layer, aligned_sample(step.dims(i), result.dims), channels));
  }
  return result;
}

void merge(OnnxStep& step, const char* kind) {
  if (step.node.inputs.size() == 1) return step.make(0, step.signal(0).layer, step.dims(0));
  Operands operands = read_operands(step);
  step.make(0, step.importer.add(step.node, kind, operands.layers), std::move(operands.dims));
}

void import_add(OnnxStep& step) { merge(step, "add"); }
void import_sub(OnnxStep& step) { merge(step, "subtract"); }
void import_mul(OnnxStep& step) { merge(step, "multiply"); }
void import_max(OnnxStep& step) { merge(step, "maximum"); }
void import_min(OnnxStep& step) { merge(step, "minimum"); }
void import_mean(OnnxStep& step) { merge(step, "average"); }

// A product with one over the divisor.
void import_div(OnnxStep& step) {
  if (step.node.inputs.size() != 2) step.refuse("it needs two inputs");
  Operands operands = read_operands(step, step.is_constant(1) ? 1 : SIZE_MAX);
  if (!step.is_constant(1)) {
    operands.layers[1] = step.add(
        "activation", operands.layers[1],
        {{"function", parse_attribute({"function", AttributeType::kFunction, "", ""}, "reciprocal(x)")}}, "reciprocal");
  }
  step.make(0, step.importer.add(step.node, "multiply", operands.layers), std::move(operands.dims));
}

void import_concat(OnnxStep& step) {
  const OnnxValue* first = nullptr;
  for (std::size_t i = 0; i < step.node.inputs.size() && first == nullptr; ++i) {
    if (step.is_signal(i)) first = &step.signal(i);
  }
  if (first == nullptr) step.refuse("it joins constants that are too large to compute with");
  Dims dims = first->dims;
  const std::size_t axis = checked_axis(step.node.integer("axis", 1), dims.size());
  const std::size_t place = sample_axis(dims, axis);
  const LayerId start = step.importer.layer_of(step.node, *first, std::nullopt);
  const std::size_t channels = step.importer.builder().signal(start).channel_axis;
  std::vector<LayerId> layers;
  dims[axis].size = 0;
  for (std::size_t i = 0; i < step.node.inputs.size(); ++i) {
    OnnxValue& value = step.value(i);
    if (value.extents().size() != dims.size()) step.refuse("its inputs do not have equally many extents");
    dims[axis].size += value.extents()[axis].size;
    if (value.is_signal()) {
      layers.push_back(step.importer.layer_of(step.node, value, channels));
    } else {
      layers.push_back(step.importer.constant_layer(step.node, value.constant, first->dims, channels));
    }
  }
  if (layers.size() == 1) return step.make(0, layers[0], std::move(dims));
  step.make(0, step.importer.add(step.node, "concatenate", layers, {{"axis", static_cast<std::int64_t>(place)}}),
            std::move(dims));
}

constexpr OnnxNodeRow kRows[] = {
    {"Add", import_add}, {"Sum", import_add}, {"Sub", import_sub},   {"Mul", import_mul},       {"Div", import_div},
    {"Max", import_max}, {"Min", import_min}, {"Mean", import_mean}, {"Concat", import_concat},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_merge_nodes() { return kRows; }

}  // namespace actforge
