// Computes what exporters leave in a graph for shapes and scalars: small numbers, with the number of samples as an
// unknown.
#include "actforge/onnx/fold.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

using Numbers = FoldedNumbers;
using Result = FoldResult;

// ---- shapes

Symbol extent_of(const Dim& dim, const Folding& at) {
  if (!dim.batch) return {.value = static_cast<double>(dim.size)};
  if (at.batch_size) return {.value = static_cast<double>(dim.size * *at.batch_size)};
  return {.value = static_cast<double>(dim.size), .batch = true};
}

Result fold_shape(const Folding& at) {
  if (!at.has(0)) return std::nullopt;
  const Dims& dims = at.inputs[0]->extents();
  const auto rank = static_cast<std::int64_t>(dims.size());
  const auto bound = [&](std::int64_t value) {
    return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
  };
  Numbers numbers;
  for (std::int64_t i = bound(at.node.integer("start", 0)), end = bound(at.node.integer("end", rank)); i < end; ++i) {
    numbers.push_back(extent_of(dims[static_cast<std::size_t>(i)], at));
  }
  const auto size = static_cast<std::int64_t>(numbers.size());
  return folded(std::move(numbers), {size}, true);
}

Result fold_size(const Folding& at) {
  Symbol product = {.value = 1};
  for (const Dim& dim : at.inputs[0]->extents()) {
    const Symbol extent = extent_of(dim, at);
    product = {.value = product.value * extent.value, .batch = product.batch || extent.batch};
  }
  return folded({product}, {}, true);
}

// ---- moving numbers about

Result fold_identity(const Folding& at) { return at.constant(0); }

Result fold_cast(const Folding& at) {
  const std::int64_t type = at.node.integer("to", 1);
  const bool whole = !is_float_type(static_cast<std::int32_t>(type));
  if (whole == at.constant(0).whole) return at.constant(0);
  const Numbers* numbers = at.numbers(0);
  if (numbers == nullptr) return std::nullopt;
  OnnxConstant result = {.dims = at.constant(0).dims, .numbers = *numbers, .whole = whole};
  for (Symbol& symbol : *result.numbers) symbol.value = whole ? std::trunc(symbol.value) : symbol.value;
  return result;
}

Result with_dims(const Folding& at, const Dims& dims) {
  OnnxConstant result = at.constant(0);
  if (result.transposed) return std::nullopt;
  result.dims = dims;
  if (result.size() != at.constant(0).size()) {
    throw Error(ErrorCode::kBadInput, dims_text(at.constant(0).dims) + " cannot become " + dims_text(dims));
  }
  return result;
}

Result fold_squeeze(const Folding& at) {
  const Dims& dims = at.constant(0).dims;
  const auto axes = at.integers("axes", 1);
  if (!axes && at.has(1)) return std::nullopt;
  std::vector<bool> drop(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) drop[i] = !axes && dims[i] == Dim{};
  for (std::size_t i = 0; axes && i < axes->size(); ++i) drop[checked_axis((*axes)[i], dims.size())] = true;
  Dims kept;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!drop[i]) kept.push_back(dims[i]);
  }
  return with_dims(at, kept);
}

Result fold_unsqueeze(const Folding& at) {
  auto axes = at.integers("axes", 1);
  if (!axes || axes->size() > 8) return std::nullopt;
  Dims dims = at.constant(0).dims;
  const std::size_t rank = dims.size() + axes->size();
  for (std::int64_t& axis : *axes) axis = static_cast<std::int64_t>(checked_axis(axis, rank));
  std::sort(axes->begin(), axes->end());
  for (const std::int64_t axis : *axes) {
    if (axis > static_cast<std::int64_t>(dims.size())) return std::nullopt;
    dims.insert(dims.begin() + axis, Dim{});
  }
  return with_dims(at, dims);
}

Result fold_reshape(const Folding& at) {
  const Numbers* target = at.numbers(1);
  if (target == nullptr) return std::nullopt;
  if (at.constant(0).size() == 0) return std::nullopt;
  return with_dims(
      at, reshaped(at.constant(0).dims,
                   {.extents = *target, .zeros = at.node.integer("allowzero", 0) != 0, .batch_size = at.batch_size}));
}

// Matrices stay tied to their tensor; of others, only the extents are known afterwards.
Result fold_transpose(const Folding& at) {
  const OnnxConstant& given = at.constant(0);
  const std::size_t rank = given.dims.size();
  Shape order = at.node.integers("perm").value_or(Shape());
  if (order.empty()) {
    for (std::size_t i = rank; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  }
  if (order.size() != rank) return std::nullopt;
  if (std::is_sorted(order.begin(), order.end())) return given;
  OnnxConstant result = {.whole = given.whole};
  for (const std::int64_t axis : order) result.dims.push_back(given.dims[checked_axis(axis, rank)]);
  result.fill = given.fill;
  if (rank == 2 && !given.fill) {
    result.tensor = given.tensor;
    result.name = given.name;
    result.transposed = !given.transposed;
  }
  return result;
}

Result fold_gather(const Folding& at) {
  const Numbers* numbers = at.numbers(0);
  const auto places = at.integers("", 1);
  if (numbers == nullptr || !places || at.constant(0).dims.size() != 1 || at.constant(1).dims.size() > 1) {
    return std::nullopt;
  }
  Numbers result;
  for (const std::int64_t place : *places) result.push_back((*numbers)[checked_axis(place, numbers->size())]);
  return folded(std::move(result), plain_shape(at.constant(1).dims), at.constant(0).whole);
}

Result fold_concat(const Folding& at) {
  Numbers result;
  bool whole = true;
  for (std::size_t i = 0; i < at.inputs.size(); ++i) {
    const Numbers* numbers = at.numbers(i);
    if (numbers == nullptr || at.constant(i).dims.size() != 1) return std::nullopt;
    if (result.size() + numbers->size() > static_cast<std::size_t>(kMaxFolded)) return std::nullopt;
    result.insert(result.end(), numbers->begin(), numbers->end());
    whole = whole && at.constant(i).whole;
  }
  const auto size = static_cast<std::int64_t>(result.size());
  return folded(std::move(result), {size}, whole);
}

Result fold_slice(const Folding& at) {
  const Numbers* numbers = at.numbers(0);
  const auto starts = at.integers("starts", 1), ends = at.integers("ends", 2), steps = at.integers("", 4);
  if (numbers == nullptr || at.constant(0).dims.size() != 1 || !starts || !ends) return std::nullopt;
  if (starts->size() != 1 || ends->size() != 1) return std::nullopt;
  const std::int64_t step = steps && steps->size() == 1 ? (*steps)[0] : 1;
  const auto size = static_cast<std::int64_t>(numbers->size());
  if (step == 0 || step == INT64_MIN) return std::nullopt;
  const auto bound = [&](std::int64_t value) {
    if (value < 0) value = value < -size ? -1 : value + size;
    return step > 0 ? std::clamp<std::int64_t>(value, 0, size) : std::clamp<std::int64_t>(value, -1, size - 1);
  };
  Numbers result;
  // The end of a backward slice may lie before the first number, which is what very negative ends say.
  const std::int64_t end = step < 0 && (*ends)[0] < -size ? -1 : bound((*ends)[0]);
  for (std::int64_t i = bound((*starts)[0]); i >= 0 && i < size && (step > 0 ? i < end : i > end);) {
    result.push_back((*numbers)[static_cast<std::size_t>(i)]);
    if (step > size || step < -size) break;
    i += step;
  }
  const auto count = static_cast<std::int64_t>(result.size());
  return folded(std::move(result), {count}, at.constant(0).whole);
}

Dims dims_of_symbols(const Numbers& numbers) {
  Dims dims;
  for (const Symbol& symbol : numbers) {
    const double value =
        std::isnan(symbol.value) ? -1 : std::clamp(symbol.value, -1.0, static_cast<double>(kMaxElements));
    dims.push_back({.size = static_cast<std::int64_t>(value), .batch = symbol.batch});
  }
  return dims;
}

Result fold_filled(const Folding& at) {
  const Numbers* shape = at.numbers(0);
  if (shape == nullptr || shape->size() > 64) return std::nullopt;
  OnnxConstant result = {.dims = dims_of_symbols(*shape), .fill = 0.0};
  if (const onnx::TensorProto* value = at.node.tensor("value")) {
    if (tensor_size(*value) != 1) return std::nullopt;
    result.fill = tensor_numbers(*value, at.folder)[0];
    result.whole = !is_float_type(value->data_type());
  }
  result.size();  // for its checks
  return result;
}

// Only what repeats nothing, but along the samples.
Result fold_expand(const Folding& at) {
  const Numbers* shape = at.numbers(1);
  const OnnxConstant& given = at.constant(0);
  if (shape == nullptr || shape->size() > 64) return std::nullopt;
  if (given.fill || given.size() == 1) {
    const Numbers* numbers = at.numbers(0);
    if (numbers == nullptr || numbers->empty() || (*numbers)[0].batch) return std::nullopt;
    Dims dims = dims_of_symbols(*shape);
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::size_t missing = dims.size() - std::min(dims.size(), given.dims.size());
      if (i >= missing && dims[i].size == 1 && !dims[i].batch) dims[i] = given.dims[i - missing];
    }
    return OnnxConstant{.dims = dims, .fill = (*numbers)[0].value, .whole = given.whole};
  }
  if (shape->size() != given.dims.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape->size(); ++i) {
    const Symbol& wanted = (*shape)[i];
    const bool same = wanted.value == 1 || wanted.value == static_cast<double>(given.dims[i].size);
    if (!same && !(i == 0 && at.batch_size && wanted.value == static_cast<double>(*at.batch_size))) return std::nullopt;
  }
  return given;
}

Result fold_range(const Folding& at) {
  const Numbers *start = at.numbers(0), *limit = at.numbers(1), *delta = at.numbers(2);
  if (start == nullptr || limit == nullptr || delta == nullptr) return std::nullopt;
  if (start->size() != 1 || limit->size() != 1 || delta->size() != 1) return std::nullopt;
  if ((*start)[0].batch || (*limit)[0].batch || (*delta)[0].batch) return std::nullopt;
  const double count = std::ceil(((*limit)[0].value - (*start)[0].value) / (*delta)[0].value);
  if (!(count <= static_cast<double>(kMaxFolded))) return std::nullopt;
  Numbers result;
  for (int i = 0; i < count; ++i) result.push_back({.value = (*start)[0].value + i * (*delta)[0].value});
  const auto size = static_cast<std::int64_t>(result.size());
  return folded(std::move(result), {size}, at.constant(0).whole);
}

Result folded_list(const auto& values, bool whole) {
  Numbers numbers;
  for (const auto value : values) numbers.push_back({.value = static_cast<double>(value)});
  return folded(std::move(numbers), {std::ssize(values)}, whole);
}

// A Constant node whose value is not a tensor; those are initializers.
Result fold_constant_node(const Folding& at) {
  if (at.node.has("value_float"))
    return folded({{.value = static_cast<float>(at.node.number("value_float", 0))}}, {}, false);
  if (at.node.has("value_int"))
    return folded({{.value = static_cast<double>(at.node.integer("value_int", 0))}}, {}, true);
  if (const auto floats = at.node.numbers("value_floats")) return folded_list(*floats, false);
  if (const auto ints = at.node.integers("value_ints")) return folded_list(*ints, true);
  return std::nullopt;
}

using Fold = Result (*)(const Folding&);
const std::map<std::string_view, Fold> kFolds = {
    {"Identity", fold_identity}, {"Dropout", fold_identity},       {"Cast", fold_cast},
    {"Squeeze", fold_squeeze},   {"Unsqueeze", fold_unsqueeze},    {"Reshape", fold_reshape},
    {"Gather", fold_gather},     {"Transpose", fold_transpose},    {"Concat", fold_concat},
    {"Slice", fold_slice},       {"ConstantOfShape", fold_filled}, {"Expand", fold_expand},
    {"Range", fold_range},
};

}  // namespace

std::optional<OnnxConstant> fold(const OnnxNode& node, std::span<OnnxValue* const> inputs, const std::string& folder,
                                 std::optional<std::int64_t> batch_size) {
  const Folding at = {.node = node, .inputs = inputs, .folder = folder, .batch_size = batch_size};
  if (node.op == "Constant") return fold_constant_node(at);
  if (!at.has(0)) return std::nullopt;
  if (node.op == "Shape") return fold_shape(at);
  if (node.op == "Size") return fold_size(at);
  for (const OnnxValue* input : inputs) {
    if (input != nullptr && !input->is_constant()) return std::nullopt;
  }
  if (const auto found = kFolds.find(node.op); found != kFolds.end()) return found->second(at);
  return fold_arithmetic(at);
}

}  // namespace actforge
