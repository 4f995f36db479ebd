#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/net/graph/shape.h"

// The numbers of an ONNX tensor, however the file keeps them: as raw bytes, in typed fields, or in a file beside it.
// Everything throws Error (kBadInput) that names the tensor.
namespace actforge {

// Extents of 0 are allowed: a tensor may be empty.
Shape tensor_dims(const onnx::TensorProto& tensor);
std::int64_t tensor_size(const onnx::TensorProto& tensor);

// float32, float16, bfloat16, double.
bool is_float_type(std::int32_t type);
// Any type whose numbers can be read.
bool is_number_type(std::int32_t type);
bool is_external(const onnx::TensorProto& tensor);

// `folder` is the model's. A file of numbers must lie in it, and so must whatever a link leads to.
std::vector<float> tensor_floats(const onnx::TensorProto& tensor, const std::string& folder);
// Of any numeric type; whole numbers beyond 2^53 are rounded.
std::vector<double> tensor_numbers(const onnx::TensorProto& tensor, const std::string& folder);

// The numbers in the type of the tensor, as its raw bytes (little endian).
std::string float_bytes(std::int32_t type, const std::vector<float>& values);
// Puts them where the tensor keeps its numbers, which is not in another file.
void set_tensor_floats(onnx::TensorProto& tensor, const std::vector<float>& values);

// The bytes of a tensor that is kept in another file, piece by piece.
void read_external(const onnx::TensorProto& tensor, const std::string& folder,
                   const std::function<void(std::string_view)>& take);

}  // namespace actforge
