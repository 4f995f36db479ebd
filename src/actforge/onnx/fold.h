#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/onnx/constant.h"

// What the two files that fold nodes have in common.
namespace actforge {

using FoldedNumbers = std::vector<Symbol>;
using FoldResult = std::optional<OnnxConstant>;

// What a node sees while it is folded.
struct Folding {
  const OnnxNode& node;
  std::span<OnnxValue* const> inputs;
  const std::string& folder;
  std::optional<std::int64_t> batch_size;

  bool has(std::size_t i) const { return i < inputs.size() && inputs[i] != nullptr; }
  OnnxConstant& constant(std::size_t i) const { return inputs[i]->constant; }
  const FoldedNumbers* numbers(std::size_t i) const {
    return has(i) && inputs[i]->is_constant() ? small_numbers(constant(i), folder) : nullptr;
  }
  // Plain whole numbers, from an attribute or an input.
  std::optional<std::vector<std::int64_t>> integers(std::string_view attribute, std::size_t input) const {
    if (auto given = node.integers(attribute)) return given;
    const FoldedNumbers* found = numbers(input);
    if (found == nullptr) return std::nullopt;
    std::vector<std::int64_t> result;
    for (const Symbol& symbol : *found) {
      if (symbol.batch || std::isnan(symbol.value)) return std::nullopt;
      result.push_back(static_cast<std::int64_t>(std::clamp(symbol.value, -9e18, 9e18)));
    }
    return result;
  }
};

inline FoldResult folded(FoldedNumbers numbers, const Shape& shape, bool whole) {
  return OnnxConstant{.dims = plain_dims(shape), .numbers = std::move(numbers), .whole = whole};
}

inline Shape plain_shape(const Dims& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.size);
  return shape;
}

inline std::int64_t count_of(const Shape& shape) {  // -1: too many
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || (extent > 0 && count > kMaxFolded / extent)) return -1;
    count *= extent;
  }
  return count;
}

// Nothing where the operator is no arithmetic that is known here.
FoldResult fold_arithmetic(const Folding& at);

}  // namespace actforge
