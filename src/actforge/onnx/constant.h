#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actforge/net/graph/layer_kind.h"
#include "actforge/net/graph/network.h"
#include "actforge/onnx/dims.h"
#include "actforge/onnx/graph.h"

namespace actforge {

// Numbers that do not depend on a sample: initializers, and what the graph computes from them and from shapes. Without
// tensor, numbers and fill only the extents are known: an operator that is not known here made them of constants.
struct OnnxConstant {
  Dims dims = {};
  const onnx::TensorProto* tensor = nullptr;  // whose numbers these are, or null
  TensorId name = kNoTensor;                  // by which the graph uses that
  bool transposed = false;                    // they are those of the tensor, a matrix, with rows and columns swapped
  std::optional<std::vector<Symbol>> numbers = {};  // of small ones
  std::optional<double> fill = {};                  // all numbers are this one
  bool whole = false;                               // whole numbers

  std::int64_t size() const;
};

// What a tensor of the graph is.
struct OnnxValue {
  enum class Kind : std::uint8_t { kUnknown, kSignal, kConstant };
  Kind kind = Kind::kUnknown;
  LayerId layer = 0;
  Dims dims = {};  // of a signal; the layer may have the same numbers in other extents
  OnnxConstant constant = {};

  bool is_signal() const { return kind == Kind::kSignal; }
  bool is_constant() const { return kind == Kind::kConstant; }
  const Dims& extents() const { return is_constant() ? constant.dims : dims; }
};

inline constexpr std::int64_t kMaxFolded = 1 << 14;        // numbers of one constant that are computed with
inline constexpr std::int64_t kMaxFoldedTotal = 1 << 24;   // of all of them
inline constexpr std::int64_t kMaxStatistics = 1LL << 27;  // numbers of a constant whose mean is computed

Dims plain_dims(const Shape& shape);
OnnxConstant constant_of(const onnx::TensorProto& tensor);
// Reads them where there are few. Null: they are too many, or of a type that is not known.
const std::vector<Symbol>* small_numbers(OnnxConstant& constant, const std::string& folder);

// What the node makes where it is a constant. Nothing: it is not, or is not known here.
std::optional<OnnxConstant> fold(const OnnxNode& node, std::span<OnnxValue* const> inputs, const std::string& folder,
                                 std::optional<std::int64_t> batch_size);

}  // namespace actforge
