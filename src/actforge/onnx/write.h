#pragma once

#include "actforge/onnx/file.h"
#include "actforge/onnx/import.h"

namespace actforge {

// A model and what was made of it.
struct OnnxContent {
  onnx::ModelProto model = {};
  std::string path = {};    // of the file
  std::string folder = {};  // where it is
  ImportedOnnx imported = {};
};

// Every tensor of a model, wherever it is; in the same order for a model and its copy.
std::vector<onnx::TensorProto*> all_tensors(onnx::ModelProto& model);

// OnnxFile::write. Over the file itself, the content then knows the new places of its numbers.
void write_onnx_file(OnnxContent& content, const std::string& path, const OnnxFile::NewValues& new_values,
                     const std::map<LayerId, double>& shifts);

// OnnxFile::tensors.
std::vector<NamedTensor> named_tensors(const OnnxContent& content, const OnnxFile::NewValues& new_values);

// The numbers of a weight among those of its tensor, and back. Throw Error (kBadInput) where the sizes do not fit.
std::vector<float> weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& tensor);
void put_weight_values(const WeightSource& source, const Shape& shape, const std::vector<float>& values,
                       std::vector<float>& tensor);

// Why a tensor of so many numbers cannot hold the weight; empty if it can.
std::string weight_size_problem(const WeightSource& source, const Shape& shape, std::int64_t tensor);

// Adds a number to each of these tensors, right after the node that makes it.
void add_shifts(const std::map<std::string, double>& shifts, std::int32_t otherwise_type, onnx::ModelProto& model);

}  // namespace actforge
