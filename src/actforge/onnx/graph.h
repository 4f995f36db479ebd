#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {

using TensorId = std::uint32_t;
inline constexpr TensorId kNoTensor = UINT32_MAX;

// An attribute of another type than its operator has for it: the file is wrong, not just of a form unknown here.
struct OnnxAttributeError : Error {
  explicit OnnxAttributeError(const std::string& why) : Error(ErrorCode::kBadInput, why) {}
};

struct OnnxNode {
  const onnx::NodeProto* proto = nullptr;
  std::string_view op = {};           // empty for operators of other domains
  std::vector<TensorId> inputs = {};  // kNoTensor: left out
  std::vector<TensorId> outputs = {};

  bool has(std::string_view attribute) const;
  // Attributes by name; what is not there is `otherwise`, nothing or null. Throw OnnxAttributeError that names the
  // node, the attribute and both types.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  double number(std::string_view name, double otherwise) const;
  std::string word(std::string_view name, const std::string& otherwise) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  std::optional<std::vector<double>> numbers(std::string_view name) const;
  std::optional<std::vector<std::string>> words(std::string_view name) const;
  const onnx::TensorProto* tensor(std::string_view name) const;

  TensorId input(std::size_t i) const { return i < inputs.size() ? inputs[i] : kNoTensor; }
  // "node 'conv1' (Conv)"
  std::string title() const;

 private:
  const onnx::AttributeProto* find_attribute(std::string_view name) const;
  const onnx::AttributeProto* attribute(std::string_view name, onnx::AttributeProto::AttributeType type) const;
};

struct OnnxTensor {
  std::string_view name = {};
  const onnx::TensorProto* initializer = nullptr;  // or the value of a Constant node
  const onnx::ValueInfoProto* info = nullptr;
  std::int32_t producer = -1;             // in OnnxGraph::nodes
  std::vector<std::uint32_t> users = {};  // nodes, each as often as it uses the tensor
  bool is_input = false, is_output = false;
};

// The graph of a model by numbers instead of names, in an order in which each node comes after what it needs.
class OnnxGraph {
 public:
  // Throws Error (kBadInput): cycles, names used twice or never made, operator sets that are not known.
  explicit OnnxGraph(const onnx::ModelProto& model);
  OnnxGraph(const OnnxGraph&) = delete;
  OnnxGraph& operator=(const OnnxGraph&) = delete;

  std::string title;
  std::int64_t opset = 0;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> tensors;
  std::vector<TensorId> inputs, outputs;

  TensorId find(std::string_view name) const;
  // The only user of a tensor that nothing else needs.
  const OnnxNode* only_user(TensorId tensor) const;
  // Takes a node of our own in the place of the one at `at`, whose outputs it makes.
  void replace(std::size_t at, onnx::NodeProto proto);
  // Empties nodes whose results are not used; users are counted again.
  void drop_unused();

 private:
  TensorId intern(std::string_view name);
  void read_opset(const onnx::ModelProto& model);
  void read_values(const onnx::GraphProto& graph);
  void read_nodes(const onnx::GraphProto& graph);
  void read_constant_nodes();
  void sort_nodes();

  std::unordered_map<std::string_view, TensorId> by_name_;
  std::deque<onnx::NodeProto> own_nodes_;
};

}  // namespace actforge
