#pragma once

#include <span>

#include "actforge/base/error.h"
#include "actforge/onnx/import.h"

namespace actforge {

// The file contradicts itself, which is an error. (Other Errors of a node say that it is not known in this form; it is
// passed through where the file tells what extents it makes.)
struct OnnxMisfit : Error {
  explicit OnnxMisfit(const std::string& why) : Error(ErrorCode::kBadInput, why) {}
};

// One node while its layers are made.
class OnnxStep {
 public:
  OnnxStep(OnnxImporter& of, const OnnxNode& at) : importer(of), node(at) {}

  OnnxImporter& importer;
  const OnnxNode& node;

  bool has(std::size_t i) const { return node.input(i) != kNoTensor; }
  bool has_output(std::size_t i) const;
  // Throw Error (kBadInput) where there is no such input, or not of this sort.
  OnnxValue& value(std::size_t i) const;
  OnnxValue& signal(std::size_t i) const;
  OnnxConstant& constant(std::size_t i) const;
  bool is_signal(std::size_t i) const { return has(i) && value(i).is_signal(); }
  bool is_constant(std::size_t i) const { return has(i) && value(i).is_constant(); }
  // The extents of a signal; for images, with the samples first.
  const Dims& dims(std::size_t i) const { return signal(i).dims; }
  void require_batch_first(std::size_t i) const;

  LayerId layer(std::size_t i, std::optional<std::size_t> channels = {}) const;
  LayerId add(std::string_view kind, LayerId input, const Attributes& attributes = {},
              std::string_view part = {}) const {
    return importer.add(node, kind, {input}, attributes, part);
  }
  const Shape& shape_of(LayerId layer) const { return importer.builder().signal(layer).shape; }
  void make(std::size_t output, LayerId layer, Dims dims) const;
  // Samples first, then the extents of the layer.
  void make_image(LayerId layer) const { make(0, layer, batch_first(shape_of(layer))); }
  void make_opaque(Dims dims) const;

  // Constants: from an attribute or, in later operator sets, an input.
  std::optional<std::vector<std::int64_t>> integers(std::string_view attribute, std::size_t input) const;
  std::vector<double> numbers(std::size_t input) const;
  // The whole tensor of an input, as a weight; null where it is not one of the file, as it is there.
  WeightSource source(std::size_t input) const;

  [[noreturn]] void refuse(const std::string& why) const;
  // Weights, given by `input`, that do not fit the signal: a misfit where the file holds them as they are.
  [[noreturn]] void refuse_weights(std::size_t input) const;
};

using OnnxHandler = void (*)(OnnxStep&);
// Null: not known.
OnnxHandler find_onnx_handler(std::string_view op);

// What reads the nodes of an operator.
struct OnnxNodeRow {
  std::string_view op;
  OnnxHandler handler;
};
// The rows, each in the file of its family: a new operator is its function and a row there.
std::span<const OnnxNodeRow> onnx_linear_nodes();     // nodes_linear.cpp
std::span<const OnnxNodeRow> onnx_recurrent_nodes();  // nodes_recurrent.cpp
std::span<const OnnxNodeRow> onnx_norm_nodes();       // nodes_norm.cpp
std::span<const OnnxNodeRow> onnx_pool_nodes();       // nodes_pool.cpp
std::span<const OnnxNodeRow> onnx_merge_nodes();      // nodes_merge.cpp
std::span<const OnnxNodeRow> onnx_shape_nodes();      // nodes_shape.cpp
std::span<const OnnxNodeRow> onnx_cut_nodes();        // nodes_cut.cpp

// A part of the extent `axis` of a tensor; the signal itself where it is all of it.
OnnxValue slice_part(OnnxStep& step, const OnnxValue& value, std::size_t axis, std::int64_t begin, std::int64_t length);

// The padding that the attributes auto_pad and pads say, as the text that layers take, or as numbers {before, after}.
struct OnnxPadding {
  std::vector<std::int64_t> before, after;
  bool is_zero() const;
  std::string text() const;
};
struct OnnxWindow {
  Shape spatial = {}, kernel = {}, stride = {}, dilation = {};
  OnnxPadding padding = {};
};
// Attributes of a convolution or a pooling; the kernel's size is that of the weights where it is not given.
OnnxWindow read_onnx_window(const OnnxStep& step, Shape kernel);

}  // namespace actforge
