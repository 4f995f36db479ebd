// Computes what exporters leave in a graph for shapes and scalars: small numbers, with the number of samples as an
// unknown.
#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/net/onnx_constant.h"
#include "actforge/net/onnx_tensor.h"

namespace actforge {
namespace {

using Numbers = std::vector<Symbol>;
using Result = std::optional<OnnxConstant>;

// What a node sees while it is folded.
struct Folding {
  const OnnxNode& node;
  std::span<OnnxValue* const> inputs;
  const std::string& folder;
  std::optional<std::int64_t> batch_size;

  bool has(std::size_t i) const { return i < inputs.size() && inputs[i] != nullptr; }
  OnnxConstant& constant(std::size_t i) const { return inputs[i]->constant; }
  const Numbers* numbers(std::size_t i) const {
    return has(i) && inputs[i]->is_constant() ? small_numbers(constant(i), folder) : nullptr;
  }
  // Plain whole numbers, from an attribute or an input.
  std::optional<std::vector<std::int64_t>> integers(std::string_view attribute, std::size_t input) const {
    if (auto given = node.integers(attribute)) return given;
    const Numbers* found = numbers(input);
    if (found == nullptr) return std::nullopt;
    std::vector<std::int64_t> result;
    for (const Symbol& symbol : *found) {
      if (symbol.batch) return std::nullopt;
      result.push_back(static_cast<std::int64_t>(std::clamp(symbol.value, -9e18, 9e18)));
    }
    return result;
  }
};

Result made(Numbers numbers, const Shape& shape, bool whole) {
  return OnnxConstant{.dims = plain_dims(shape), .numbers = std::move(numbers), .whole = whole};
}

Shape plain_shape(const Dims& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.size);
  return shape;
}

std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && count > kMaxFolded / extent)) return -1;
    count *= extent;
  }
  return count;
}

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
  return made(std::move(numbers), {size}, true);
}

Result fold_size(const Folding& at) {
  Symbol product = {.value = 1};
  for (const Dim& dim : at.inputs[0]->extents()) {
    const Symbol extent = extent_of(dim, at);
    product = {.value = product.value * extent.value, .batch = product.batch || extent.batch};
  }
  return made({product}, {}, true);
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

Result fold_transpose(const Folding& at) {
  const OnnxConstant& given = at.constant(0);
  const auto order = at.node.integers("perm");
  if (given.dims.size() != 2 || given.fill) return std::nullopt;
  if (order && *order == std::vector<std::int64_t>{0, 1}) return given;
  if (order && *order != std::vector<std::int64_t>{1, 0}) return std::nullopt;
  if (given.tensor == nullptr) return std::nullopt;
  OnnxConstant result = given;
  result.transposed = !given.transposed;
  result.numbers.reset();
  std::swap(result.dims[0], result.dims[1]);
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
  return made(std::move(result), plain_shape(at.constant(1).dims), at.constant(0).whole);
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
  return made(std::move(result), {size}, whole);
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
  return made(std::move(result), {count}, at.constant(0).whole);
}

Dims dims_of_symbols(const Numbers& numbers) {
  Dims dims;
  for (const Symbol& symbol : numbers) {
    const double value = std::clamp(symbol.value, -1.0, static_cast<double>(kMaxElements));
    dims.push_back({.size = static_cast<std::int64_t>(value), .batch = symbol.batch});
  }
  return dims;
}

Result fold_filled(const Folding& at) {
  const Numbers* shape = at.numbers(0);
  if (shape == nullptr || shape->size() > 64) return std::nullopt;
  OnnxConstant result = {.dims = dims_of_symbols(*shape), .fill = 0.0};
  if (const onnx::AttributeProto* value = at.node.attribute("value"); value != nullptr && value->has_t()) {
    if (tensor_size(value->t()) != 1) return std::nullopt;
    result.fill = tensor_numbers(value->t(), at.folder)[0];
    result.whole = !is_float_type(value->t().data_type());
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
  return made(std::move(result), {size}, at.constant(0).whole);
}

// A Constant node whose value is not a tensor; those are initializers.
Result fold_constant_node(const Folding& at) {
  const auto* value = [&]() -> const onnx::AttributeProto* {
    for (const char* name : {"value_float", "value_int", "value_floats", "value_ints"}) {
      if (const auto* found = at.node.attribute(name)) return found;
    }
    return nullptr;
  }();
  if (value == nullptr) return std::nullopt;
  Numbers numbers;
  if (value->has_f()) return made({{.value = value->f()}}, {}, false);
  if (value->has_i()) return made({{.value = static_cast<double>(value->i())}}, {}, true);
  for (const float number : value->floats()) numbers.push_back({.value = number});
  for (const std::int64_t number : value->ints()) numbers.push_back({.value = static_cast<double>(number)});
  const auto size = static_cast<std::int64_t>(numbers.size());
  return made(std::move(numbers), {size}, value->floats().empty());
}

// ---- arithmetic

using Unary = double (*)(double);
using Binary = std::optional<Symbol> (*)(const Symbol&, const Symbol&, bool whole);

std::optional<Symbol> add(const Symbol& a, const Symbol& b, bool) {
  if (a.batch != b.batch && a.value != 0 && b.value != 0) return std::nullopt;
  return Symbol{.value = a.value + b.value, .batch = (a.batch && a.value != 0) || (b.batch && b.value != 0)};
}
std::optional<Symbol> subtract(const Symbol& a, const Symbol& b, bool whole) {
  return add(a, {.value = -b.value, .batch = b.batch}, whole);
}
std::optional<Symbol> multiply(const Symbol& a, const Symbol& b, bool) {
  if (a.batch && b.batch) return std::nullopt;
  return Symbol{.value = a.value * b.value, .batch = a.batch || b.batch};
}
std::optional<Symbol> divide(const Symbol& a, const Symbol& b, bool whole) {
  if (b.value == 0 || (b.batch && !a.batch)) return std::nullopt;
  const double ratio = a.value / b.value;
  if (a.batch && !b.batch && whole && ratio != std::trunc(ratio)) return std::nullopt;
  return Symbol{.value = whole ? std::trunc(ratio) : ratio, .batch = a.batch && !b.batch};
}
template <class Compute>
std::optional<Symbol> plain(const Symbol& a, const Symbol& b, Compute compute) {
  if (a.batch || b.batch) return std::nullopt;
  return Symbol{.value = compute(a.value, b.value)};
}
std::optional<Symbol> power(const Symbol& a, const Symbol& b, bool) {
  return plain(a, b, [](double x, double y) { return std::pow(x, y); });
}
std::optional<Symbol> smaller(const Symbol& a, const Symbol& b, bool) {
  return plain(a, b, [](double x, double y) { return std::min(x, y); });
}
std::optional<Symbol> larger(const Symbol& a, const Symbol& b, bool) {
  return plain(a, b, [](double x, double y) { return std::max(x, y); });
}
std::optional<Symbol> is_equal(const Symbol& a, const Symbol& b, bool) { return Symbol{.value = a == b ? 1.0 : 0.0}; }

const std::map<std::string_view, Unary> kUnary = {
    {"Neg", [](double x) { return -x; }},
    {"Abs", [](double x) { return std::fabs(x); }},
    {"Sqrt", [](double x) { return std::sqrt(x); }},
    {"Floor", [](double x) { return std::floor(x); }},
    {"Ceil", [](double x) { return std::ceil(x); }},
    {"Exp", [](double x) { return std::exp(x); }},
    {"Log", [](double x) { return std::log(x); }},
    {"Reciprocal", [](double x) { return 1 / x; }},
    {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }},
};
const std::map<std::string_view, Binary> kBinary = {
    {"Add", add},   {"Sub", subtract}, {"Mul", multiply}, {"Div", divide},
    {"Pow", power}, {"Min", smaller},  {"Max", larger},   {"Equal", is_equal},
};

Result fold_unary(const Folding& at, Unary compute) {
  const Numbers* numbers = at.numbers(0);
  if (numbers == nullptr) return std::nullopt;
  OnnxConstant result = {.dims = at.constant(0).dims, .numbers = *numbers, .whole = at.constant(0).whole};
  for (Symbol& symbol : *result.numbers) {
    if (symbol.batch) return std::nullopt;
    symbol.value = compute(symbol.value);
  }
  return result;
}

// Extents of 1 are repeated. Empty: they do not fit, or give too many numbers.
std::optional<Shape> broadcast(std::span<const Shape> shapes) {
  Shape result;
  for (const Shape& shape : shapes) {
    if (shape.size() > result.size()) result.insert(result.begin(), shape.size() - result.size(), 1);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::int64_t& extent = result[result.size() - shape.size() + i];
      if (extent != shape[i] && extent != 1 && shape[i] != 1) return std::nullopt;
      extent = extent == 1 ? shape[i] : extent;
    }
  }
  if (result.size() > 64 || count_of(result) < 0) return std::nullopt;
  return result;
}

// The place in `shape` that the number `index` of `whole` comes from.
std::size_t source(std::size_t index, const Shape& whole, const Shape& shape) {
  std::size_t place = 0, stride = 1;
  for (std::size_t i = whole.size(); i-- > 0;) {
    const auto extent = static_cast<std::size_t>(whole[i]);
    const std::size_t at = index % extent, missing = whole.size() - shape.size();
    index /= extent;
    if (i < missing) continue;
    const auto own = static_cast<std::size_t>(shape[i - missing]);
    place += (own == 1 ? 0 : at) * stride;
    stride *= own;
  }
  return place;
}

Result fold_binary(const Folding& at, Binary compute) {
  const Numbers *a = at.numbers(0), *b = at.numbers(1);
  if (a == nullptr || b == nullptr || at.inputs.size() != 2) return std::nullopt;
  const Shape shapes[] = {plain_shape(at.constant(0).dims), plain_shape(at.constant(1).dims)};
  const std::optional<Shape> shape = broadcast(shapes);
  if (!shape) return std::nullopt;
  const bool whole = at.constant(0).whole && at.constant(1).whole;
  Numbers result(static_cast<std::size_t>(count_of(*shape)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto value = compute((*a)[source(i, *shape, shapes[0])], (*b)[source(i, *shape, shapes[1])], whole);
    if (!value) return std::nullopt;
    result[i] = *value;
  }
  return made(std::move(result), *shape, whole);
}

Result fold_where(const Folding& at) {
  const Numbers *which = at.numbers(0), *a = at.numbers(1), *b = at.numbers(2);
  if (which == nullptr || a == nullptr || b == nullptr) return std::nullopt;
  const Shape shapes[] = {plain_shape(at.constant(0).dims), plain_shape(at.constant(1).dims),
                          plain_shape(at.constant(2).dims)};
  const std::optional<Shape> shape = broadcast(shapes);
  if (!shape) return std::nullopt;
  Numbers result(static_cast<std::size_t>(count_of(*shape)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool first = (*which)[source(i, *shape, shapes[0])].value != 0;
    result[i] = first ? (*a)[source(i, *shape, shapes[1])] : (*b)[source(i, *shape, shapes[2])];
  }
  return made(std::move(result), *shape, at.constant(1).whole);
}

using Fold = Result (*)(const Folding&);
const std::map<std::string_view, Fold> kFolds = {
    {"Identity", fold_identity},
    {"Dropout", fold_identity},
    {"Cast", fold_cast},
    {"Squeeze", fold_squeeze},
    {"Unsqueeze", fold_unsqueeze},
    {"Reshape", fold_reshape},
    {"Gather", fold_gather},
    {"Transpose", fold_transpose},
    {"Concat", fold_concat},
    {"Slice", fold_slice},
    {"ConstantOfShape", fold_filled},
    {"Expand", fold_expand},
    {"Range", fold_range},
    {"Where", fold_where},
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
  if (const auto found = kUnary.find(node.op); found != kUnary.end()) return fold_unary(at, found->second);
  if (const auto found = kBinary.find(node.op); found != kBinary.end()) return fold_binary(at, found->second);
  return std::nullopt;
}

}  // namespace actforge
