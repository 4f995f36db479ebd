// Pooling, reductions, softmax; and how the attributes of a window are read.
#include <algorithm>

#include "actforge/onnx/nodes.h"

namespace actforge {
namespace {

constexpr std::int64_t kLargest = 1 << 20;

Shape list_or_ones(const OnnxStep& step, std::string_view attribute, std::size_t extents) {
  Shape list = step.node.integers(attribute).value_or(Shape(extents, 1));
  if (list.size() != extents)
    step.refuse(std::string(attribute) + " does not fit its " + std::to_string(extents) + " extents");
  for (const std::int64_t number : list) {
    if (number < 1 || number > kLargest) step.refuse(std::string(attribute) + " has a number that makes no sense");
  }
  return list;
}

// As many windows as input / stride, rounded up; the odd zero at the end, or at the beginning.
void pad_same(OnnxWindow& window, bool odd_first) {
  for (std::size_t i = 0; i < window.kernel.size(); ++i) {
    const std::int64_t stride = window.stride[i], places = (window.spatial[i] + stride - 1) / stride;
    const std::int64_t reach = (window.kernel[i] - 1) * window.dilation[i] + 1;
    const std::int64_t zeros = std::max<std::int64_t>(0, (places - 1) * stride + reach - window.spatial[i]);
    window.padding.before[i] = odd_first ? zeros - zeros / 2 : zeros / 2;
    window.padding.after[i] = zeros - window.padding.before[i];
  }
}

// Rounding the number of windows up is the same as more padding at the end, as long as a window still begins inside.
void pad_for_ceiling(OnnxWindow& window) {
  for (std::size_t i = 0; i < window.kernel.size(); ++i) {
    const std::int64_t stride = window.stride[i];
    const std::int64_t room = window.spatial[i] + window.padding.before[i] + window.padding.after[i] - window.kernel[i];
    if (room < 0) continue;
    std::int64_t steps = (room + stride - 1) / stride;
    if (steps * stride >= window.spatial[i] + window.padding.before[i]) --steps;
    window.padding.after[i] += std::max<std::int64_t>(0, steps * stride - room);
  }
}

OnnxWindow pool_window(const OnnxStep& step) {
  step.require_batch_first(0);
  const auto kernel = step.node.integers("kernel_shape");
  if (!kernel) step.refuse("it does not say how large its window is");
  OnnxWindow window = read_onnx_window(step, *kernel);
  if (std::any_of(window.dilation.begin(), window.dilation.end(), [](std::int64_t d) { return d != 1; })) {
    step.refuse("its windows have gaps");
  }
  if (step.node.integer("ceil_mode", 0) != 0) pad_for_ceiling(window);
  return window;
}

void import_global(OnnxStep& step, const char* kind) {
  step.require_batch_first(0);
  const LayerId made = step.add(kind, step.layer(0, 0));
  Dims dims = step.dims(0);
  for (std::size_t i = 2; i < dims.size(); ++i) dims[i] = {};
  step.make(0, made, std::move(dims));
}

void import_reduction(OnnxStep& step, const char* kind) {
  const Dims& dims = step.dims(0);
  const auto given = step.integers("axes", 1);
  const bool keep = step.node.integer("keepdims", 1) != 0;
  std::vector<bool> reduced(dims.size(), !given || given->empty());
  if (reduced.empty() || (reduced[0] && step.node.integer("noop_with_empty_axes", 0) != 0)) {
    return step.make(0, step.signal(0).layer, dims);
  }
  for (const std::int64_t axis : given.value_or(Shape())) reduced[checked_axis(axis, dims.size())] = true;
  Shape axes;
  Dims result;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (reduced[i]) axes.push_back(static_cast<std::int64_t>(sample_axis(dims, i)));
    if (!reduced[i]) result.push_back(dims[i]);
    if (reduced[i] && keep) result.push_back({});
  }
  step.make(0, step.add(kind, step.layer(0), {{"axes", axes}, {"keep", keep}}), std::move(result));
}

}  // namespace

bool OnnxPadding::is_zero() const {
  const auto zero = [](std::int64_t number) { return number == 0; };
  return std::all_of(before.begin(), before.end(), zero) && std::all_of(after.begin(), after.end(), zero);
}

std::string OnnxPadding::text() const {
  if (is_zero()) return "valid";
  std::string text;
  for (std::size_t i = 0; i < before.size(); ++i) {
    text += (text.empty() ? "" : "x") + std::to_string(before[i]);
    if (after[i] != before[i]) text += ":" + std::to_string(after[i]);
  }
  return text;
}

OnnxWindow read_onnx_window(const OnnxStep& step, Shape kernel) {
  const std::size_t extents = step.dims(0).size() - 2;
  if (const auto given = step.node.integers("kernel_shape"); given && *given != kernel) {
    step.refuse("kernel_shape does not fit its weights");
  }
  if (kernel.size() != extents) step.refuse("its window does not fit its input " + dims_text(step.dims(0)));
  OnnxWindow window = {.kernel = std::move(kernel)};
  for (const std::int64_t size : window.kernel) {
    if (size < 1 || size > kLargest) step.refuse("the size of its window makes no sense");
  }
  for (std::size_t i = 0; i < extents; ++i) window.spatial.push_back(step.dims(0)[i + 2].size);
  window.stride = list_or_ones(step, "strides", extents);
  window.dilation = list_or_ones(step, "dilations", extents);
  const Shape pads = step.node.integers("pads").value_or(Shape(2 * extents, 0));
  if (pads.size() != 2 * extents) step.refuse("pads does not fit its extents");
  for (const std::int64_t number : pads) {
    if (number < 0 || number > kLargest) step.refuse("pads has a number that makes no sense");
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(extents);
  window.padding = {.before = Shape(pads.begin(), middle), .after = Shape(middle, pads.end())};
  const std::string automatic = step.node.word("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") pad_same(window, automatic == "SAME_LOWER");
  if (automatic == "VALID") window.padding = {.before = Shape(extents, 0), .after = Shape(extents, 0)};
  return window;
}

namespace {

void import_max_pool(OnnxStep& step) {
  if (step.has_output(1)) step.refuse("something uses where the largest numbers were");
  const OnnxWindow window = pool_window(step);
  step.make_image(step.add("max_pool", step.layer(0, 0),
                           {{"size", window.kernel}, {"stride", window.stride}, {"padding", window.padding.text()}}));
}

void import_average_pool(OnnxStep& step) {
  OnnxWindow window = pool_window(step);
  LayerId input = step.layer(0, 0);
  if (step.node.integer("count_include_pad", 0) != 0 && !window.padding.is_zero()) {
    if (step.node.integer("ceil_mode", 0) != 0) step.refuse("it counts some zeros of its padding and not others");
    input = step.add("zero_padding", input, {{"padding", window.padding.text()}}, "padding");
    window.padding = {.before = Shape(window.kernel.size(), 0), .after = Shape(window.kernel.size(), 0)};
  }
  step.make_image(step.add("average_pool", input,
                           {{"size", window.kernel}, {"stride", window.stride}, {"padding", window.padding.text()}}));
}

void import_global_max(OnnxStep& step) { import_global(step, "global_max_pool"); }
void import_global_average(OnnxStep& step) { import_global(step, "global_average_pool"); }
void import_reduce_mean(OnnxStep& step) { import_reduction(step, "reduce_mean"); }
void import_reduce_sum(OnnxStep& step) { import_reduction(step, "reduce_sum"); }

// Before operator set 13 the extents from `axis` on are taken as one.
void import_softmax(OnnxStep& step) {
  const Dims dims = step.dims(0);
  const bool merges = step.importer.graph().opset < 13;
  const std::size_t axis = checked_axis(step.node.integer("axis", merges ? 1 : -1), dims.size());
  if (!merges || axis + 1 == dims.size()) {
    const auto place = static_cast<std::int64_t>(sample_axis(dims, axis));
    return step.make(0, step.add("softmax", step.layer(0), {{"axis", place}}), dims);
  }
  Dims rows(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
  rows.push_back({});
  for (std::size_t i = axis; i < dims.size(); ++i) {
    if (dims[i].batch) step.refuse("it works along the extent that counts the samples");
    rows.back().size *= dims[i].size;
  }
  OnnxValue merged = step.signal(0);
  merged.dims = rows;
  const LayerId input = step.importer.layer_of(step.node, merged, std::nullopt);
  step.make(0, step.add("softmax", input, {{"axis", "-1"}}), dims);
}

constexpr OnnxNodeRow kRows[] = {
    {"MaxPool", import_max_pool},         {"AveragePool", import_average_pool},
    {"GlobalMaxPool", import_global_max}, {"GlobalAveragePool", import_global_average},
    {"ReduceMean", import_reduce_mean},   {"ReduceSum", import_reduce_sum},
    {"Softmax", import_softmax},
};

}  // namespace

std::span<const OnnxNodeRow> onnx_pool_nodes() { return kRows; }

}  // namespace actforge
