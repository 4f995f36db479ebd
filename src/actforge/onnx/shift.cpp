#include <unordered_map>
#include <unordered_set>

#include "actforge/base/error.h"
#include "actforge/onnx/tensor.h"
#include "actforge/onnx/write.h"

namespace actforge {
namespace {

class ShiftWriter {
 public:
  ShiftWriter(std::int32_t otherwise_type, onnx::ModelProto& model)
      : model_(model), graph_(*model.mutable_graph()), otherwise_type_(otherwise_type) {
    for (const onnx::NodeProto& node : graph_.node()) {
      names_.insert(node.output().begin(), node.output().end());
      names_.insert(node.input().begin(), node.input().end());
    }
    for (const onnx::TensorProto& tensor : graph_.initializer()) names_.insert(tensor.name());
    for (const auto* list : {&graph_.input(), &graph_.output(), &graph_.value_info()}) {
      for (const onnx::ValueInfoProto& info : *list) {
        names_.insert(info.name());
        types_[info.name()] = info.type().tensor_type().elem_type();
      }
    }
  }

  // The tensor keeps its name, so that nothing that uses it changes; what the node made gets another one.
  void write(const std::map<std::string, double>& shifts) {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    std::size_t done = 0;
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      onnx::NodeProto& kept = *nodes.Add();
      kept.Swap(&node);
      for (std::string& output : *kept.mutable_output()) {
        const auto shift = shifts.find(output);
        if (output.empty() || shift == shifts.end()) continue;
        const std::string before = unique(output + "_unshifted"), constant = unique(output + "_shift");
        add_constant(constant, output, shift->second);
        onnx::NodeProto& sum = *nodes.Add();
        sum.set_op_type("Add");
        sum.set_name(constant);
        sum.add_input(before);
        sum.add_input(constant);
        sum.add_output(output);
        output = before;
        ++done;
      }
    }
    graph_.mutable_node()->Swap(&nodes);
    if (done != shifts.size()) throw Error(ErrorCode::kFailed, "a node whose output is to be shifted is gone");
  }

 private:
  std::string unique(std::string name) {
    while (!names_.insert(name).second) name += '_';
    return name;
  }

  void add_constant(const std::string& name, const std::string& like, double value) {
    const auto found = types_.find(like);
    const bool known = found != types_.end() && is_float_type(found->second);
    onnx::TensorProto& tensor = *graph_.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(known ? found->second : otherwise_type_);
    tensor.set_raw_data(float_bytes(tensor.data_type(), {static_cast<float>(value)}));
    constexpr int kFirstWithoutInputs = 4;  // before it, every initializer is listed as an input
    if (model_.ir_version() >= kFirstWithoutInputs) return;
    onnx::ValueInfoProto& info = *graph_.add_input();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(tensor.data_type());
    info.mutable_type()->mutable_tensor_type()->mutable_shape();
  }

  onnx::ModelProto& model_;
  onnx::GraphProto& graph_;
  std::int32_t otherwise_type_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::int32_t> types_;
};

}  // namespace

void add_shifts(const std::map<std::string, double>& shifts, std::int32_t otherwise_type, onnx::ModelProto& model) {
  if (!shifts.empty()) ShiftWriter(otherwise_type, model).write(shifts);
}

}  // namespace actforge
