#include "actforge/onnx/patterns.h"

#include <algorithm>
#include <optional>

#include "actforge/onnx/constant.h"

namespace actforge {
namespace {

class LayerNormFinder {
 public:
  LayerNormFinder(OnnxGraph& graph, const std::string& folder) : graph_(graph), folder_(folder) {}

  void find() {
    bool any = false;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) any = match(i) || any;
    if (any) graph_.drop_unused();
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  const OnnxNode& node(std::size_t i) const { return graph_.nodes[i]; }
  TensorId output(std::size_t i) const { return node(i).outputs[0]; }

  // The only user of a tensor, if it is of this kind.
  std::size_t user(TensorId tensor, std::string_view op) const {
    const OnnxNode* found = graph_.only_user(tensor);
    if (found == nullptr || found->op != op || found->outputs.size() != 1 || found->outputs[0] == kNoTensor) {
      return kNone;
    }
    return graph_.tensors[tensor].users[0];
  }

  std::optional<double> scalar(TensorId id) const {
    if (id == kNoTensor || graph_.tensors[id].initializer == nullptr) return std::nullopt;
    OnnxConstant constant = constant_of(*graph_.tensors[id].initializer);
    if (constant.size() != 1) return std::nullopt;
    const auto* numbers = small_numbers(constant, folder_);
    return numbers == nullptr ? std::nullopt : std::optional((*numbers)[0].value);
  }

  // The mean over the last extent, which stays as an extent of 1.
  bool is_last_mean(std::size_t i) const {
    const OnnxNode& mean = node(i);
    if (mean.op != "ReduceMean" || mean.outputs.size() != 1 || mean.input(0) == kNoTensor) return false;
    if (mean.integer("keepdims", 1) == 0) return false;
    const auto axes = mean.integers("axes");
    if (axes) return *axes == std::vector<std::int64_t>{-1};
    return scalar(mean.input(1)) == -1.0;
  }

  // Of two inputs, the one that is not `known`.
  TensorId other(std::size_t i, TensorId known) const {
    const OnnxNode& n = node(i);
    if (n.inputs.size() != 2) return kNoTensor;
    return n.inputs[0] == known ? n.inputs[1] : n.inputs[1] == known ? n.inputs[0] : kNoTensor;
  }

  bool is_vector(TensorId id) const {
    if (id == kNoTensor || graph_.tensors[id].initializer == nullptr) return false;
    return graph_.tensors[id].initializer->dims_size() == 1;
  }

  // The differences from the mean: one node, or two that are equal. Their users besides.
  struct Differences {
    std::size_t square = kNone, quotient = kNone;
  };
  std::optional<Differences> differences(TensorId x, TensorId mean) const {
    Differences found;
    const OnnxTensor& tensor = graph_.tensors[mean];
    if (tensor.is_output || tensor.users.empty() || tensor.users.size() > 2) return std::nullopt;
    for (const std::uint32_t sub : tensor.users) {
      const OnnxNode& n = node(sub);
      if (n.op != "Sub" || n.inputs.size() != 2 || n.inputs[0] != x || n.inputs[1] != mean) return std::nullopt;
      const OnnxTensor& difference = graph_.tensors[output(sub)];
      if (difference.is_output) return std::nullopt;
      for (const std::uint32_t next : difference.users) {
        const std::string_view op = node(next).op;
        if (op == "Pow" || op == "Mul") {
          found.square = next;
        } else if (op == "Div" && node(next).inputs[0] == output(sub)) {
          found.quotient = next;
        } else {
          return std::nullopt;
        }
      }
    }
    if (found.square == kNone || found.quotient == kNone) return std::nullopt;
    return found;
  }

  bool is_square(std::size_t i) const {
    const OnnxNode& n = node(i);
    if (n.inputs.size() != 2 || n.outputs.size() != 1) return false;
    return n.op == "Pow" ? scalar(n.inputs[1]) == 2.0 : n.inputs[0] == n.inputs[1];
  }

  bool match(std::size_t start) {
    if (!is_last_mean(start)) return false;
    const TensorId x = node(start).inputs[0], mean = output(start);
    const auto found = differences(x, mean);
    if (!found || !is_square(found->square) || node(found->quotient).outputs.size() != 1) return false;
    const std::size_t variance = user(output(found->square), "ReduceMean");
    if (variance == kNone || !is_last_mean(variance)) return false;
    const std::size_t sum = user(output(variance), "Add");
    if (sum == kNone) return false;
    const std::optional<double> epsilon = scalar(other(sum, output(variance)));
    if (!epsilon) return false;
    const std::size_t root = user(output(sum), "Sqrt");
    if (root == kNone || user(output(root), "Div") != found->quotient) return false;
    if (node(found->quotient).inputs.size() != 2 || node(found->quotient).inputs[1] != output(root)) return false;
    replace(x, *epsilon, found->quotient);
    return true;
  }

  void replace(TensorId x, double epsilon, std::size_t end) {
    onnx::NodeProto norm;
    norm.set_op_type("LayerNormalization");
    norm.add_input(std::string(graph_.tensors[x].name));
    const std::size_t gain = user(output(end), "Mul");
    if (gain != kNone && is_vector(other(gain, output(end)))) {
      norm.add_input(std::string(graph_.tensors[other(gain, output(end))].name));
      end = gain;
      const std::size_t offset = user(output(end), "Add");
      if (offset != kNone && is_vector(other(offset, output(end)))) {
        norm.add_input(std::string(graph_.tensors[other(offset, output(end))].name));
        end = offset;
      }
    }
    norm.set_name(node(end).proto->name());
    norm.add_output(std::string(graph_.tensors[output(end)].name));
    onnx::AttributeProto& attribute = *norm.add_attribute();
    attribute.set_name("epsilon");
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(static_cast<float>(epsilon));
    graph_.replace(end, std::move(norm));
  }

  OnnxGraph& graph_;
  const std::string& folder_;
};

}  // namespace

void find_layer_norms(OnnxGraph& graph, const std::string& folder) { LayerNormFinder(graph, folder).find(); }

}  // namespace actforge
