// Nodes that take parts of a signal, or make it larger.
#include <algorithm>
#include <cmath>

#include "actforge/onnx/nodes.h"

namespace actforge {

OnnxValue slice_part(OnnxStep& step, const OnnxValue& value, std::size_t axis, std::int64_t begin,
                     std::int64_t length) {
  if (begin == 0 && length == value.dims[axis].size) return value;
  const auto place = static_cast<std::int64_t>(sample_axis(value.dims, axis));
  const LayerId input = step.importer.layer_of(step.node, value, std::nullopt);
  OnnxValue part = value;
  part.layer = step.add("slice", input, {{"axis", place}, {"begin", begin}, {"length", length}});
  part.dims[axis].size = length;
  return part;
}

namespace {

void import_slice(OnnxStep& step) {
  const auto starts = step.integers("starts", 1), ends = step.integers("ends", 2), steps = step.integers("", 4);
  if (!starts || !ends || starts->size() != ends->size()) step.refuse("it does not say what to take");
  auto axes = step.integers("axes", 3);
  if (!axes) {
    axes.emplace();
    for (std::size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<std::int64_t>(i));
  }
  if (axes->size() != starts->size() || (steps && steps->size() != starts->size())) {
    step.refuse("its lists are not equally long");
  }
  OnnxValue value = step.signal(0);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    if (steps && (*steps)[i] != 1) step.refuse("it does not take numbers that follow each other");
    const std::size_t axis = checked_axis((*axes)[i], value.dims.size());
    const std::int64_t extent = value.dims[axis].size;
    const auto bound = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? std::max(at, -extent) + extent : at, 0, extent);
    };
    const std::int64_t begin = bound((*starts)[i]), end = bound((*ends)[i]);
    if (begin >= end) step.refuse("nothing is left of extent " + std::to_string(axis) + " of " + dims_text(value.dims));
    const std::int64_t all = extent * step.importer.batch_size().value_or(1 << 24);
    if (value.dims[axis].batch && (begin != 0 || (*ends)[i] < all)) step.refuse("it takes some of the samples");
    value = slice_part(step, value, axis, begin, end - begin);
  }
  step.make(0, value.layer, std::move(value.dims));
}

// Sizes are an attribute before operator set 13, and an input since; without them the parts are equal, but the last
// one.
void import_split(OnnxStep& step) {
  const Dims dims = step.dims(0);
  const std::size_t axis = checked_axis(step.node.integer("axis", 0), dims.size());
  if (dims[axis].batch) step.refuse("it takes some of the samples");
  const std::int64_t extent = dims[axis].size, count = static_cast<std::int64_t>(step.node.outputs.size());
  Shape sizes = step.integers("split", 1).value_or(Shape());
  if (sizes.empty()) {
    const std::int64_t part = (extent + count - 1) / count;
    for (std::int64_t at = 0; at < extent; at += part) sizes.push_back(std::min(part, extent - at));
  }
  if (static_cast<std::int64_t>(sizes.size()) != count) step.refuse("its parts are not as many as its outputs");
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || sizes[i] > extent - begin) step.refuse("its parts do not fit into " + dims_text(dims));
    if (step.has_output(i)) {
      OnnxValue part = slice_part(step, step.signal(0), axis, begin, sizes[i]);
      step.make(i, part.layer, std::move(part.dims));
    }
    begin += sizes[i];
  }
}

// {before, after} per extent of the input. Pads are an attribute before operator set 11, and an input since.
std::vector<std::pair<std::int64_t, std::int64_t>> read_pads(const OnnxStep& step, const Dims& dims) {
  const Shape pads = step.integers("pads", 1).value_or(Shape());
  Shape axes;
  if (step.has(3)) {
    axes = step.integers("", 3).value_or(Shape());
  } else {
    for (std::size_t i = 0; i < dims.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  }
  if (pads.size() != 2 * axes.size()) step.refuse("pads does not fit its input " + dims_text(dims));
  std::vector<std::pair<std::int64_t, std::int64_t>> result(dims.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    constexpr std::int64_t kLargest = 1 << 20;
    const std::int64_t before = pads[i], after = pads[i + axes.size()];
    if (std::abs(before) > kLargest || std::abs(after) > kLargest) step.refuse("it pads too much");
    result[checked_axis(axes[i], dims.size())] = {before, after};
  }
  return result;
}

bool pads_with_zeros(const OnnxStep& step) {
  if (step.node.word("mode", "constant") != "constant" || step.node.number("value", 0) != 0) return false;
  if (!step.has(2)) return true;
  const std::vector<double> value = step.numbers(2);
  return value.size() == 1 && value[0] == 0;
}

void import_pad(OnnxStep& step) {
  Dims dims = step.dims(0);
  const auto pads = read_pads(step, dims);
  bool spatial = dims.size() >= 3 && dims.size() <= 5 && dims[0].vanishes() && pads_with_zeros(step), any = false;
  OnnxPadding padding;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto [before, after] = pads[i];
    any = any || before != 0 || after != 0;
    if (before < 0 || after < 0 || (i < 2 && before + after != 0)) spatial = false;
    if (dims[i].batch && (before != 0 || after != 0)) step.refuse("it pads the samples");
    dims[i].size += before + after;
    if (dims[i].size < 1) step.refuse("nothing is left of its input");
    if (i < 2) continue;
    padding.before.push_back(before);
    padding.after.push_back(after);
  }
  if (!any) return step.make(0, step.signal(0).layer, step.dims(0));
  if (!spatial) return step.make_opaque(std::move(dims));
  step.make_image(step.add("zero_padding", step.layer(0, 0), {{"padding", padding.text()}}));
}

// Resize has its scales in input 2 (in 1 before operator set 11) or its sizes in input 3; Upsample, in an attribute or
// input 1.
void import_resize(OnnxStep& step) {
  const Dims& dims = step.dims(0);
  std::vector<double> scales;
  const std::size_t place = step.importer.graph().opset < 11 || step.node.op == "Upsample" ? 1 : 2;
  if (const auto given = step.node.numbers("scales")) {
    scales = *given;
  } else if (step.has(place) && step.constant(place).size() > 0) {
    scales = step.numbers(place);
  } else if (step.has(3)) {
    const std::vector<Symbol>* sizes = small_numbers(step.constant(3), step.importer.folder());
    if (sizes == nullptr || sizes->size() != dims.size()) step.refuse("its sizes do not fit its input");
    for (std::size_t i = 0; i < dims.size(); ++i) {
      scales.push_back(dims[i].batch ? 1 : (*sizes)[i].value / static_cast<double>(dims[i].size));
    }
  }
  if (scales.size() != dims.size() || dims.size() < 3)
    step.refuse("its scales do not fit its input " + dims_text(dims));
  Dims result = dims;
  bool simple = dims[0].vanishes() && scales[0] == 1 && scales[1] == 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const double size = std::floor(static_cast<double>(dims[i].size) * scales[i] + 1e-6);
    if (!(size >= 1 && size <= static_cast<double>(kMaxElements))) step.refuse("its scales make no sense");
    result[i].size = static_cast<std::int64_t>(size);
    if (i >= 2) simple = simple && scales[i] == scales[2] && scales[i] == std::floor(scales[i]) && scales[i] <= 64;
  }
  const std::string mode = step.node.word("mode", "nearest");
  if (!simple || (mode != "nearest" && mode != "linear") || step.node.integer("antialias", 0) != 0) {
    return step.make_opaque(std::move(result));
  }
  step.make_image(
      step.add("up_sampling", step.layer(0, 0), {{"factor", static_cast<std::int64_t>(scales[2])}, {"mode", mode}}));
}

constexpr OnnxNodeRow kRows[] = {
    {"Slice", import_slice},   {"Split", import_split},     {"Pad", import_pad},
    {"Resize", import_resize}, {"Upsample", import_resize},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_cut_nodes() { return kRows; }

}  // namespace actforge
