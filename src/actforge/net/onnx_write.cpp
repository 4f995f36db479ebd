#include "actforge/net/onnx_write.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/net/onnx_tensor.h"

namespace actforge {
namespace {

using onnx::TensorProto;

// Every tensor of a model, wherever it is; in the same order for a model and its copy. Nodes inside nodes are put on a
// list, not visited by recursion.
std::vector<const TensorProto*> all_tensors(const onnx::ModelProto& model) {
  std::vector<const TensorProto*> tensors;
  std::vector<const onnx::GraphProto*> graphs = {&model.graph()};
  const auto add_sparse = [&](const onnx::SparseTensorProto& tensor) {
    if (tensor.has_values()) tensors.push_back(&tensor.values());
    if (tensor.has_indices()) tensors.push_back(&tensor.indices());
  };
  const auto add_node = [&](const onnx::NodeProto& node) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_t()) tensors.push_back(&attribute.t());
      for (const TensorProto& tensor : attribute.tensors()) tensors.push_back(&tensor);
      if (attribute.has_g()) graphs.push_back(&attribute.g());
      for (const onnx::GraphProto& graph : attribute.graphs()) graphs.push_back(&graph);
      if (attribute.has_sparse_tensor()) add_sparse(attribute.sparse_tensor());
      for (const onnx::SparseTensorProto& tensor : attribute.sparse_tensors()) add_sparse(tensor);
    }
  };
  for (const onnx::FunctionProto& function : model.functions()) {
    for (const onnx::NodeProto& node : function.node()) add_node(node);
  }
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (const TensorProto& tensor : graphs[i]->initializer()) tensors.push_back(&tensor);
    for (const onnx::SparseTensorProto& tensor : graphs[i]->sparse_initializer()) add_sparse(tensor);
    for (const onnx::NodeProto& node : graphs[i]->node()) add_node(node);
  }
  return tensors;
}

struct Use {
  LayerId layer;
  std::size_t weight;
  const WeightSource* source;
};
using Uses = std::unordered_map<const TensorProto*, std::vector<Use>>;

// The weights to ask for, by tensor. Numbers that two layers use belong to the first.
Uses find_uses(const ImportedOnnx& imported) {
  Uses uses;
  for (const auto& [key, source] : imported.sources) {
    if (source.tensor == nullptr || imported.network.layer(key.first).shares) continue;
    std::vector<Use>& list = uses[source.tensor];
    const std::int64_t offset = source.offset;
    const bool taken =
        std::any_of(list.begin(), list.end(), [&](const Use& use) { return use.source->offset == offset; });
    if (!taken) list.push_back({key.first, key.second, &source});
  }
  return uses;
}

// The tensor's numbers where some were replaced.
std::optional<std::vector<float>> replaced(const OnnxContent& content, const TensorProto& tensor,
                                           const std::vector<Use>& uses, const OnnxFile::NewValues& new_values) {
  std::optional<std::vector<float>> numbers;
  for (const Use& use : uses) {
    const std::vector<float> values = new_values(use.layer, use.weight);
    if (values.empty()) continue;
    const Layer& layer = content.imported.network.layer(use.layer);
    try {
      if (!numbers) numbers = tensor_floats(tensor, content.folder);
      put_weight_values(*use.source, layer.weights[use.weight].shape, values, *numbers);
    } catch (const Error& error) {
      throw Error(error.code(), "layer '" + layer.name + "': " + error.what());
    }
  }
  return numbers;
}

// The file beside the model for numbers that the model keeps outside.
class DataFile {
 public:
  explicit DataFile(const std::string& path)
      : name_(std::filesystem::path(path).filename().string() + ".data"), file_(path + ".data") {}

  void add(const TensorProto& old, const std::optional<std::vector<float>>& numbers, const std::string& folder,
           TensorProto& tensor) {
    constexpr std::uint64_t kAlignment = 64;
    const std::string gap((kAlignment - size_ % kAlignment) % kAlignment, '\0');
    append(gap);
    const std::uint64_t begin = size_;
    if (numbers) {
      append(float_bytes(old.data_type(), *numbers));
    } else {
      read_external(old, folder, [&](std::string_view piece) { append(piece); });
    }
    tensor.clear_external_data();
    set(tensor, "location", name_);
    set(tensor, "offset", std::to_string(begin));
    set(tensor, "length", std::to_string(size_ - begin));
  }
  void commit() { file_.commit(); }

 private:
  void append(std::string_view bytes) {
    file_.write(bytes);
    size_ += bytes.size();
  }
  static void set(TensorProto& tensor, const char* key, const std::string& value) {
    onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }

  std::string name_;
  AtomicFile file_;
  std::uint64_t size_ = 0;
};

class FileStream final : public google::protobuf::io::CopyingOutputStream {
 public:
  explicit FileStream(AtomicFile& file) : file_(file) {}
  bool Write(const void* bytes, int size) override {
    file_.write({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
    return true;
  }

 private:
  AtomicFile& file_;
};

void write_model(const onnx::ModelProto& model, const std::string& path) {
  AtomicFile file(path);
  FileStream sink(file);
  {
    google::protobuf::io::CopyingOutputStreamAdaptor stream(&sink);
    if (!model.SerializeToZeroCopyStream(&stream) || !stream.Flush()) {
      throw Error(ErrorCode::kFailed, "'" + path + "': the model does not fit into an ONNX file");
    }
  }
  file.commit();
}

std::map<std::string, double> shifts_by_tensor(const ImportedOnnx& imported, const std::map<LayerId, double>& shifts) {
  std::map<std::string, double> result;
  for (const auto& [layer, shift] : shifts) {
    const auto found = imported.activations.find(layer);
    if (found == imported.activations.end() || !std::isfinite(shift)) {
      throw Error(ErrorCode::kUsage, "only activation layers of the file can be shifted, by finite numbers");
    }
    result[found->second] = shift;
  }
  return result;
}

std::int32_t weight_type(const ImportedOnnx& imported) {
  for (const auto& [key, source] : imported.sources) {
    if (source.tensor != nullptr) return source.tensor->data_type();
  }
  return TensorProto::FLOAT;
}

}  // namespace

void write_onnx_file(const OnnxContent& content, const std::string& path, const OnnxFile::NewValues& new_values,
                     const std::map<LayerId, double>& shifts) {
  const std::map<std::string, double> by_tensor = shifts_by_tensor(content.imported, shifts);
  onnx::ModelProto model = content.model;
  const std::vector<const TensorProto*> old = all_tensors(content.model), copies = all_tensors(model);
  Uses uses = find_uses(content.imported);
  std::optional<DataFile> data;
  for (std::size_t i = 0; i < old.size(); ++i) {
    auto& tensor = const_cast<TensorProto&>(*copies[i]);  // of the copy, which is ours to change
    const std::optional<std::vector<float>> numbers = replaced(content, *old[i], uses[old[i]], new_values);
    if (is_external(*old[i])) {
      if (!data) data.emplace(path);
      data->add(*old[i], numbers, content.folder, tensor);
    } else if (numbers) {
      set_tensor_floats(tensor, *numbers);
    }
  }
  add_shifts(by_tensor, weight_type(content.imported), model);
  if (data) data->commit();
  write_model(model, path);
}

}  // namespace actforge
