// Arithmetic of small constants.
#include <cmath>
#include <map>

#include "actforge/onnx/fold.h"

namespace actforge {
namespace {

using Numbers = FoldedNumbers;
using Result = FoldResult;

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
  return folded(std::move(result), *shape, whole);
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
  return folded(std::move(result), *shape, at.constant(1).whole);
}

}  // namespace

FoldResult fold_arithmetic(const Folding& at) {
  if (at.node.op == "Where") return fold_where(at);
  if (const auto found = kUnary.find(at.node.op); found != kUnary.end()) return fold_unary(at, found->second);
  if (const auto found = kBinary.find(at.node.op); found != kBinary.end()) return fold_binary(at, found->second);
  return std::nullopt;
}

}  // namespace actforge
