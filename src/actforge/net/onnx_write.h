#pragma once

#include "actforge/net/onnx_file.h"
#include "actforge/net/onnx_import.h"

namespace actforge {

// A model and what was made of it.
struct OnnxContent {
  onnx::ModelProto model = {};
  std::string folder = {};
  ImportedOnnx imported = {};
};

// OnnxFile::write.
void write_onnx_file(const OnnxContent& content, const std::string& path, const OnnxFile::NewValues& new_values,
                     const std::map<LayerId, double>& shifts);

// The numbers of a weight among those of its tensor, and back. Throw Error (kBadInput) where the sizes do not fit.
std::vector<float> weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& tensor);
void put_weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& values,
                       std::vector<float>& tensor);

// Why a tensor of so many numbers cannot hold the weight; empty if it can.
std::string weight_size_problem(const WeightSource& source, const Shape& shape, std::int64_t tensor);

// Adds a number to each of these tensors, right after the node that makes it.
void add_shifts(const std::map<std::string, double>& shifts, std::int32_t otherwise_type, onnx::ModelProto& model);

}  // namespace actforge
