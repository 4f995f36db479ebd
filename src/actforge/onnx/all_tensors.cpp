#include "actforge/onnx/write.h"

namespace actforge {

using onnx::TensorProto;

// Nodes inside nodes are put on a list, not visited by recursion.
std::vector<TensorProto*> all_tensors(onnx::ModelProto& model) {
  std::vector<TensorProto*> tensors;
  std::vector<onnx::GraphProto*> graphs;
  if (model.has_graph()) graphs.push_back(model.mutable_graph());
  const auto add_sparse = [&](onnx::SparseTensorProto& tensor) {
    if (tensor.has_values()) tensors.push_back(tensor.mutable_values());
    if (tensor.has_indices()) tensors.push_back(tensor.mutable_indices());
  };
  const auto add_node = [&](onnx::NodeProto& node) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) tensors.push_back(attribute.mutable_t());
      for (TensorProto& tensor : *attribute.mutable_tensors()) tensors.push_back(&tensor);
      if (attribute.has_g()) graphs.push_back(attribute.mutable_g());
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) graphs.push_back(&graph);
      if (attribute.has_sparse_tensor()) add_sparse(*attribute.mutable_sparse_tensor());
      for (onnx::SparseTensorProto& tensor : *attribute.mutable_sparse_tensors()) add_sparse(tensor);
    }
  };
  for (onnx::FunctionProto& function : *model.mutable_functions()) {
    for (onnx::NodeProto& node : *function.mutable_node()) add_node(node);
  }
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (TensorProto& tensor : *graphs[i]->mutable_initializer()) tensors.push_back(&tensor);
    for (onnx::SparseTensorProto& tensor : *graphs[i]->mutable_sparse_initializer()) add_sparse(tensor);
    for (onnx::NodeProto& node : *graphs[i]->mutable_node()) add_node(node);
  }
  return tensors;
}

}  // namespace actforge
