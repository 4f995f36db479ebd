// Nodes that only change the shape. Most make no layer: one that needs certain extents makes the
// reshape itself, so that several of these in a row become one.
#include <algorithm>

#include "actforge/onnx/nodes.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

void import_identity(OnnxStep& step) { step.make(0, step.signal(0).layer, step.dims(0)); }

void import_cast(OnnxStep& step) {
  const bool indices = step.importer.builder().signal(step.signal(0).layer).indices;
  if (!indices && !is_float_type(static_cast<std::int32_t>(step.node.integer("to", 0)))) {
    step.refuse("it turns a signal into whole numbers");
  }
  import_identity(step);
}

void import_reshape(OnnxStep& step) {
  const std::vector<Symbol>* target = small_numbers(step.constant(1), step.importer.folder());
  if (target == nullptr || target->size() > kMaxRank) step.refuse("its new extents are too many");
  Dims dims = reshaped(
      step.dims(0),
      {.extents = *target, .zeros = step.node.integer("allowzero", 0) != 0, .batch_size = step.importer.batch_size()});
  step.make(0, step.signal(0).layer, std::move(dims));
}

void import_flatten(OnnxStep& step) {
  const Dims& dims = step.dims(0);
  std::int64_t axis = step.node.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(dims.size());
  if (axis < -rank || axis > rank) step.refuse("axis " + std::to_string(axis) + " is not among those of its input");
  if (axis < 0) axis += rank;
  const std::optional<std::int64_t> samples = step.importer.batch_size();
  std::vector<Symbol> target(2, {.value = 1});
  for (std::int64_t i = 0; i < rank; ++i) {
    const Dim& dim = dims[static_cast<std::size_t>(i)];
    Symbol& part = target[i < axis ? 0 : 1];
    part.value *= static_cast<double>(dim.size) * static_cast<double>(dim.batch ? samples.value_or(1) : 1);
    part.batch = part.batch || (dim.batch && !samples);
  }
  step.make(0, step.signal(0).layer, reshaped(dims, {.extents = target, .zeros = true, .batch_size = samples}));
}

void import_squeeze(OnnxStep& step) {
  const Dims& dims = step.dims(0);
  const auto axes = step.integers("axes", 1);
  std::vector<bool> drop(dims.size());
  const bool single = step.importer.batch_size() == 1;
  for (std::size_t i = 0; i < dims.size(); ++i) drop[i] = !axes && dims[i].size == 1 && (!dims[i].batch || single);
  for (const std::int64_t axis : axes.value_or(Shape())) drop[checked_axis(axis, dims.size())] = true;
  Dims kept;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!drop[i]) {
      kept.push_back(dims[i]);
    } else if (dims[i].size != 1 || (dims[i].batch && !single)) {
      step.refuse("it takes an extent away that is not 1 in " + dims_text(dims));
    }
  }
  step.make(0, step.signal(0).layer, std::move(kept));
}

void import_unsqueeze(OnnxStep& step) {
  Dims dims = step.dims(0);
  auto axes = step.integers("axes", 1);
  if (!axes || axes->empty() || axes->size() + dims.size() > kMaxRank) step.refuse("it makes too many extents");
  const std::size_t rank = dims.size() + axes->size();
  for (std::int64_t& axis : *axes) axis = static_cast<std::int64_t>(checked_axis(axis, rank));
  std::sort(axes->begin(), axes->end());
  for (const std::int64_t axis : *axes) {
    if (axis > static_cast<std::int64_t>(dims.size())) step.refuse("its axes make no sense");
    dims.insert(dims.begin() + axis, Dim{});
  }
  step.make(0, step.signal(0).layer, std::move(dims));
}

// A transpose that only moves the samples is nothing at all for one of them.
void import_transpose(OnnxStep& step) {
  const Dims& dims = step.dims(0);
  Shape order = step.node.integers("perm").value_or(Shape());
  if (order.empty()) {
    for (std::size_t i = dims.size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  }
  if (order.size() != dims.size()) step.refuse("perm does not fit its input " + dims_text(dims));
  std::vector<std::size_t> place(dims.size());  // in the sample
  std::size_t extents = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) place[i] = dims[i].vanishes() ? 0 : extents++;
  Dims result;
  Shape sample_order;
  for (const std::int64_t axis : order) {
    const std::size_t from = checked_axis(axis, dims.size());
    result.push_back(dims[from]);
    if (!dims[from].vanishes()) sample_order.push_back(static_cast<std::int64_t>(place[from]));
  }
  if (std::is_sorted(sample_order.begin(), sample_order.end())) {
    return step.make(0, step.signal(0).layer, std::move(result));
  }
  const LayerId input = step.layer(0);
  const LayerId made = step.add("permute", input, {{"order", sample_order}});
  step.importer.remember_permutation(made, input, sample_order);
  step.make(0, made, std::move(result));
}

constexpr OnnxNodeRow kRows[] = {
    {"Identity", import_identity},   {"Cast", import_cast},       {"Reshape", import_reshape},
    {"Flatten", import_flatten},     {"Squeeze", import_squeeze}, {"Unsqueeze", import_unsqueeze},
    {"Transpose", import_transpose},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_shape_nodes() { return kRows; }

}  // namespace actforge
