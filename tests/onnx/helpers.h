#pragma once

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "actforge/net/graph/network_text.h"
#include "actforge/onnx/file.h"
#include "tests/net/net_helpers.h"

namespace actforge {

// A folder that is gone with the test.
class OnnxFolder {
 public:
  OnnxFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("actforge-onnx-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  OnnxFolder(const OnnxFolder&) = delete;
  OnnxFolder& operator=(const OnnxFolder&) = delete;
  ~OnnxFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

using Names = std::vector<std::string>;

// Makes a model node by node. Extents of 0 are the number of samples.
class ModelMaker {
 public:
  explicit ModelMaker(int opset = 13) {
    model.set_ir_version(7);
    model.mutable_graph()->set_name("test");
    set_opset(opset);
  }
  onnx::ModelProto model;

  void set_opset(int opset) {
    model.clear_opset_import();
    model.add_opset_import()->set_version(opset);
  }
  onnx::GraphProto& graph() { return *model.mutable_graph(); }

  static void declare(onnx::ValueInfoProto& info, const std::string& name, const Shape& dims,
                      int type = onnx::TensorProto::FLOAT) {
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    auto* shape = info.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::int64_t dim : dims) {
      if (dim > 0) {
        shape->add_dim()->set_dim_value(dim);
      } else {
        shape->add_dim()->set_dim_param("N");
      }
    }
  }
  std::string input(const std::string& name, const Shape& dims, int type = onnx::TensorProto::FLOAT) {
    declare(*graph().add_input(), name, dims, type);
    return name;
  }
  void output(const std::string& name) { graph().add_output()->set_name(name); }

  // Numbers 0.01, 0.02, ... where none are given.
  std::string weight(const std::string& name, const Shape& dims, std::vector<float> values = {}) {
    onnx::TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
      tensor.add_dims(dim);
      count *= dim;
    }
    for (std::int64_t i = 0; values.size() < static_cast<std::size_t>(count); ++i) {
      values.push_back(0.01F * static_cast<float>(i + 1));
    }
    tensor.set_raw_data(std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)));
    return name;
  }
  std::string integers(const std::string& name, const std::vector<std::int64_t>& values) {
    onnx::TensorProto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) tensor.add_int64_data(value);
    return name;
  }
  std::string integer(const std::string& name, std::int64_t value) {
    integers(name, {value});
    graph().mutable_initializer(graph().initializer_size() - 1)->clear_dims();
    return name;
  }
  std::string scalar(const std::string& name, float value) {
    weight(name, {1}, {value});
    graph().mutable_initializer(graph().initializer_size() - 1)->clear_dims();
    return name;
  }

  // The node is called like its first output; `last` remembers it for attributes.
  std::string node(const std::string& op, const Names& inputs, const Names& outputs) {
    last = graph().add_node();
    last->set_op_type(op);
    last->set_name(outputs[0]);
    for (const std::string& name : inputs) last->add_input(name);
    for (const std::string& name : outputs) last->add_output(name);
    return outputs[0];
  }
  std::string node(const std::string& op, const Names& inputs, const std::string& name) {
    return node(op, inputs, Names{name});
  }
  ModelMaker& with(const std::string& name, std::int64_t value) {
    onnx::AttributeProto& attribute = add(name, onnx::AttributeProto::INT);
    attribute.set_i(value);
    return *this;
  }
  ModelMaker& with(const std::string& name, int value) { return with(name, std::int64_t{value}); }
  ModelMaker& with(const std::string& name, double value) {
    add(name, onnx::AttributeProto::FLOAT).set_f(static_cast<float>(value));
    return *this;
  }
  ModelMaker& with(const std::string& name, const char* value) {
    add(name, onnx::AttributeProto::STRING).set_s(value);
    return *this;
  }
  ModelMaker& with(const std::string& name, const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = add(name, onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute.add_ints(value);
    return *this;
  }

  OnnxFile read() {
    write_bytes(folder / "model.onnx", model.SerializeAsString());
    return OnnxFile::read(folder / "model.onnx");
  }
  // The layers, one per line, inputs first; the last one returns.
  std::string layers() {
    const std::string text = network_text(read().network());
    return text.substr(text.find('\n') + 1);
  }

  OnnxFolder folder;
  onnx::NodeProto* last = nullptr;

 private:
  onnx::AttributeProto& add(const std::string& name, onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto& attribute = *last->add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  }
};

}  // namespace actforge
