#include "actforge/onnx/write.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/onnx/data_file.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

using onnx::TensorProto;

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

// The tensors of a graph that have names: its initialisers, and the values of its constants.
std::vector<std::pair<std::string, const TensorProto*>> tensors_by_name(const onnx::GraphProto& graph) {
  std::vector<std::pair<std::string, const TensorProto*>> named;
  for (const TensorProto& tensor : graph.initializer()) named.emplace_back(tensor.name(), &tensor);
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.op_type() != "Constant" || node.output_size() != 1) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.name() == "value" && attribute.has_t()) named.emplace_back(node.output(0), &attribute.t());
    }
  }
  return named;
}

}  // namespace

std::vector<NamedTensor> named_tensors(const OnnxContent& content, const OnnxFile::NewValues& new_values) {
  std::vector<NamedTensor> result;
  Uses uses = find_uses(content.imported);
  const int initialisers = content.model.graph().initializer_size();
  int number = 0;
  for (const auto& [name, tensor] : tensors_by_name(content.model.graph())) {
    const std::vector<Use> own = uses[tensor];
    // Constants are parts of formulas, unless some layer has them for its weights.
    const bool is_wanted = number++ < initialisers || !own.empty();
    if (!is_wanted || !is_float_type(tensor->data_type())) continue;
    std::optional<std::vector<float>> numbers = replaced(content, *tensor, own, new_values);
    if (!numbers) numbers = tensor_floats(*tensor, content.folder);
    result.push_back({.name = name, .shape = tensor_dims(*tensor), .values = std::move(*numbers)});
  }
  return result;
}

void write_onnx_file(OnnxContent& content, const std::string& path, const OnnxFile::NewValues& new_values,
                     const std::map<LayerId, double>& shifts) {
  const std::map<std::string, double> by_tensor = shifts_by_tensor(content.imported, shifts);
  onnx::ModelProto model = content.model;
  const std::vector<TensorProto*> old = all_tensors(content.model), copies = all_tensors(model);
  Uses uses = find_uses(content.imported);
  std::optional<OnnxDataFile> data;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const std::optional<std::vector<float>> numbers = replaced(content, *old[i], uses[old[i]], new_values);
    if (is_external(*old[i])) {
      if (!data) data.emplace(path);
      data->add(*copies[i], numbers, content.folder);
    } else if (numbers) {
      set_tensor_floats(*copies[i], *numbers);
    }
  }
  if (data) data->commit();
  add_shifts(by_tensor, weight_type(content.imported), model);
  write_model(model, path);
  if (data) data->replace_old(content);
}

}  // namespace actforge
