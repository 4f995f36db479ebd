// Nodes with weights that multiply a signal, or are looked up by it.
#include <algorithm>

#include "actforge/onnx/nodes.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

Attributes window_attributes(const OnnxWindow& window, std::int64_t filters, std::int64_t groups, bool bias) {
  return {{"filters", filters},          {"kernel", window.kernel}, {"stride", window.stride},
          {"dilation", window.dilation}, {"groups", groups},        {"bias", bias}};
}

Shape plain_extents(const OnnxStep& step, std::size_t input) {
  Shape shape;
  for (const Dim& dim : step.constant(input).dims) shape.push_back(dim.size);
  return shape;
}

// The weights of a convolution over as many extents as its input has.
Shape kernel_extents(const OnnxStep& step) {
  step.require_batch_first(0);
  const Shape weights = plain_extents(step, 1);
  if (weights.size() != step.dims(0).size() || weights.size() < 3) {
    step.refuse_weights(1);
  }
  return weights;
}

std::vector<WeightSource> kernel_and_bias(const OnnxStep& step, bool bias) {
  std::vector<WeightSource> sources = {step.source(1)};
  if (bias && !step.is_constant(2)) step.refuse("its bias is not a constant");
  if (bias) sources.push_back(step.source(2));
  return sources;
}

// The numbers that are added to a product of matrices next, where nothing else needs the product: its bias.
struct Bias {
  const OnnxNode* node = nullptr;
  WeightSource source = {};
};
Bias following_bias(const OnnxStep& step, std::int64_t units) {
  const OnnxGraph& graph = step.importer.graph();
  const OnnxNode* user = graph.only_user(step.node.outputs[0]);
  if (user == nullptr || user->op != "Add" || user->inputs.size() != 2 || user->outputs.size() != 1) return {};
  const TensorId other = user->inputs[user->inputs[0] == step.node.outputs[0] ? 1 : 0];
  if (other == kNoTensor || !step.importer.value(other).is_constant()) return {};
  const OnnxConstant& constant = step.importer.value(other).constant;
  if (constant.tensor == nullptr || constant.transposed || !is_float_type(constant.tensor->data_type())) return {};
  if (constant.dims.empty() || constant.dims.back().size != units || constant.size() != units) return {};
  if (constant.dims.size() > step.dims(0).size()) return {};
  return {.node = user, .source = {.tensor = constant.tensor, .name = constant.name}};
}

void multiply_by_weights(OnnxStep& step) {
  const OnnxConstant& weights = step.constant(1);
  const Dims& dims = step.dims(0);
  if (weights.dims.size() != 2 || dims.empty() || dims.back().batch) {
    step.refuse("its weights must be a matrix, and the samples not in the last extent");
  }
  const std::int64_t units = weights.dims[1].size;
  if (weights.dims[0].size != dims.back().size) {
    step.refuse_weights(1);
  }
  const Bias bias = following_bias(step, units);
  WeightSource kernel = step.source(1);
  kernel.transposed = !kernel.transposed;
  std::vector<WeightSource> sources = {kernel};
  if (bias.node != nullptr) sources.push_back(bias.source);
  const Shape sample = sample_shape(dims);
  const LayerId made = step.importer.add_weighted(step.node, "dense", step.layer(0, sample.size() - 1),
                                                  {{"units", units}, {"bias", bias.node != nullptr}}, sources);
  Dims result = dims;
  result.back().size = units;
  step.make(0, made, result);
  if (bias.node != nullptr) step.importer.set(bias.node->outputs[0], made, std::move(result));
}

void multiply_signals(OnnxStep& step) {
  const Dims &a = step.dims(0), &b = step.dims(1);
  const std::size_t rank = a.size();
  const auto axis = batch_axis(a);
  if (rank < 3 || rank != b.size() || !axis || *axis + 2 >= rank || axis != batch_axis(b) || a[*axis] != b[*axis]) {
    step.refuse("it multiplies " + dims_text(a) + " by " + dims_text(b));
  }
  Attributes attributes;
  const TensorId output = step.node.outputs[0];
  const auto scaled = step.importer.scale_after(output);
  if (scaled) attributes.emplace_back("scale", scaled->second);
  const LayerId first = step.layer(0), second = step.layer(1);
  const LayerId made = step.importer.add(step.node, "matmul", {first, second}, attributes);
  Dims result = a;
  result.back() = b.back();
  step.make(0, made, result);
  if (scaled) step.importer.set(scaled->first, made, std::move(result));
}

// Rows of a table, by indices that depend on the sample.
void look_up(OnnxStep& step) {
  const Shape table = plain_extents(step, 0);
  if (table.size() != 2 || checked_axis(step.node.integer("axis", 0), 2) != 0) {
    step.refuse("it takes parts of a constant that is not a table of rows");
  }
  const LayerId made = step.importer.add_weighted(step.node, "embedding", step.layer(1),
                                                  {{"vocabulary", table[0]}, {"units", table[1]}}, {step.source(0)});
  Dims dims = step.dims(1);
  dims.push_back({.size = table[1]});
  // A single index has no extent of its own but an extent of 1 in the network.
  step.make(0, made, std::move(dims));
}

void import_conv(OnnxStep& step) {
  const Shape weights = kernel_extents(step);
  const std::int64_t groups = step.node.integer("group", 1);
  if (groups < 1) step.refuse("it has no groups");
  const OnnxWindow window = read_onnx_window(step, Shape(weights.begin() + 2, weights.end()));
  if (weights[1] > kMaxElements / groups || weights[1] * groups != step.dims(0)[1].size) {
    step.refuse_weights(1);
  }
  const bool bias = step.has(2);
  Attributes attributes = window_attributes(window, weights[0], groups, bias);
  attributes.emplace_back("padding", window.padding.text());
  step.make_image(
      step.importer.add_weighted(step.node, "conv", step.layer(0, 0), attributes, kernel_and_bias(step, bias)));
}

// ONNX cuts `before` and `after` from the ends of the output; the layer cuts the same from both, and adds at the end.
void import_conv_transpose(OnnxStep& step) {
  const Shape weights = kernel_extents(step);
  OnnxWindow window = read_onnx_window(step, Shape(weights.begin() + 2, weights.end()));
  const std::size_t extents = window.kernel.size();
  Shape extra = step.node.integers("output_padding").value_or(Shape(extents, 0));
  if (extra.size() != extents) step.refuse("output_padding does not fit its extents");
  for (const std::int64_t number : extra) {
    if (number < 0 || number > 1 << 20) step.refuse("output_padding has a number that makes no sense");
  }
  OnnxPadding crop;  // what is still too much at the end
  const auto wanted = step.node.integers("output_shape");
  for (const std::int64_t number : wanted.value_or(Shape())) {
    if (number < 1 || number > kMaxElements) step.refuse("output_shape has a number that makes no sense");
  }
  const std::string automatic = step.node.word("auto_pad", "NOTSET");
  for (std::size_t i = 0; i < extents; ++i) {
    std::int64_t &before = window.padding.before[i], &after = window.padding.after[i];
    const std::int64_t stride = window.stride[i];
    const std::int64_t full =
        (window.spatial[i] - 1) * stride + extra[i] + (window.kernel[i] - 1) * window.dilation[i] + 1;
    const bool same = automatic.starts_with("SAME");
    if (wanted || same) {
      if (wanted && wanted->size() != extents) step.refuse("output_shape does not fit its extents");
      const std::int64_t cut = std::max<std::int64_t>(0, full - (wanted ? (*wanted)[i] : window.spatial[i] * stride));
      before = automatic == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
      after = cut - before;
    }
    extra[i] += before - after;
    crop.before.push_back(0);
    crop.after.push_back(std::max<std::int64_t>(0, -extra[i]));
    extra[i] = std::max<std::int64_t>(0, extra[i]);
  }
  const std::int64_t groups = step.node.integer("group", 1);
  if (groups < 1 || weights[1] > kMaxElements / groups || weights[0] != step.dims(0)[1].size) {
    step.refuse_weights(1);
  }
  const bool bias = step.has(2);
  Attributes attributes = window_attributes(window, weights[1] * groups, groups, bias);
  attributes.emplace_back("margin", window.padding.before);
  attributes.emplace_back("extra", extra);
  LayerId made = step.importer.add_weighted(step.node, "transposed_conv", step.layer(0, 0), attributes,
                                            kernel_and_bias(step, bias));
  if (!crop.is_zero()) made = step.add("cropping", made, {{"margin", crop.text()}}, "cropping");
  step.make_image(made);
}

void import_gemm(OnnxStep& step) {
  const OnnxConstant& weights = step.constant(1);
  const Dims& dims = step.dims(0);
  const bool rows_are_units = step.node.integer("transB", 0) != 0;
  if (step.node.integer("transA", 0) != 0 || weights.dims.size() != 2 || dims.size() != 2 || dims[1].batch) {
    step.refuse("it needs the samples first in its input " + dims_text(dims));
  }
  const std::int64_t units = weights.dims[rows_are_units ? 0 : 1].size;
  if (weights.dims[rows_are_units ? 1 : 0].size != dims[1].size) {
    step.refuse_weights(1);
  }
  WeightSource kernel = step.source(1);
  kernel.transposed = kernel.transposed != !rows_are_units;
  kernel.scale = step.node.number("alpha", 1);
  std::vector<WeightSource> sources = {kernel};
  const double beta = step.node.number("beta", 1);
  const bool bias = step.has(2) && beta != 0;
  if (bias) {
    if (step.constant(2).size() != units) step.refuse("its bias has not one number per unit");
    sources.push_back(step.source(2));
    sources.back().scale = beta;
  }
  const LayerId made = step.importer.add_weighted(step.node, "dense", step.layer(0, sample_shape(dims).size() - 1),
                                                  {{"units", units}, {"bias", bias}}, sources);
  step.make(0, made, {dims[0], {.size = units}});
}

void import_matmul(OnnxStep& step) {
  if (step.is_signal(0) && step.is_constant(1)) return multiply_by_weights(step);
  if (step.is_signal(0) && step.is_signal(1)) return multiply_signals(step);
  step.refuse("it multiplies a constant by a signal");
}

void import_gather(OnnxStep& step) {
  if (step.is_constant(0)) return look_up(step);
  const Dims& dims = step.dims(0);
  const std::size_t axis = checked_axis(step.node.integer("axis", 0), dims.size());
  if (dims[axis].batch) step.refuse("it takes some of the samples");
  const auto places = step.integers("", 1).value_or(Shape());
  const std::size_t rank = step.constant(1).dims.size();
  if (places.empty() || rank > 1) step.refuse("its indices are not a row of numbers");
  const auto first = static_cast<std::int64_t>(checked_axis(places[0], static_cast<std::size_t>(dims[axis].size)));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t place = checked_axis(places[i], static_cast<std::size_t>(dims[axis].size));
    if (place != static_cast<std::size_t>(first) + i) step.refuse("its indices do not follow each other");
  }
  OnnxValue part = slice_part(step, step.signal(0), axis, first, static_cast<std::int64_t>(places.size()));
  if (rank == 0) part.dims.erase(part.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  step.make(0, part.layer, std::move(part.dims));
}

constexpr OnnxNodeRow kRows[] = {
    {"Conv", import_conv},     {"ConvTranspose", import_conv_transpose},
    {"Gemm", import_gemm},     {"MatMul", import_matmul},
    {"Gather", import_gather},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_linear_nodes() { return kRows; }

}  // namespace actforge
