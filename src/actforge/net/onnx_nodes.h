#pragma once

#include "actforge/base/error.h"
#include "actforge/net/onnx_import.h"

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

// onnx_nodes_linear.cpp
void import_conv(OnnxStep& step);
void import_conv_transpose(OnnxStep& step);
void import_gemm(OnnxStep& step);
void import_matmul(OnnxStep& step);
void import_gather(OnnxStep& step);
// onnx_nodes_recurrent.cpp
void import_lstm(OnnxStep& step);
void import_gru(OnnxStep& step);
void import_rnn(OnnxStep& step);
// onnx_nodes_norm.cpp
void import_batch_norm(OnnxStep& step);
void import_layer_norm(OnnxStep& step);
void import_instance_norm(OnnxStep& step);
void import_group_norm(OnnxStep& step);
void import_dropout(OnnxStep& step);
// onnx_nodes_pool.cpp
void import_max_pool(OnnxStep& step);
void import_average_pool(OnnxStep& step);
void import_global_max(OnnxStep& step);
void import_global_average(OnnxStep& step);
void import_reduce_mean(OnnxStep& step);
void import_reduce_sum(OnnxStep& step);
void import_softmax(OnnxStep& step);
// onnx_nodes_merge.cpp
void import_add(OnnxStep& step);
void import_sub(OnnxStep& step);
void import_mul(OnnxStep& step);
void import_div(OnnxStep& step);
void import_max(OnnxStep& step);
void import_min(OnnxStep& step);
void import_mean(OnnxStep& step);
void import_concat(OnnxStep& step);
// onnx_nodes_shape.cpp
void import_identity(OnnxStep& step);
void import_cast(OnnxStep& step);
void import_reshape(OnnxStep& step);
void import_flatten(OnnxStep& step);
void import_squeeze(OnnxStep& step);
void import_unsqueeze(OnnxStep& step);
void import_transpose(OnnxStep& step);
// onnx_nodes_cut.cpp
void import_slice(OnnxStep& step);
void import_split(OnnxStep& step);
void import_pad(OnnxStep& step);
void import_resize(OnnxStep& step);

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
