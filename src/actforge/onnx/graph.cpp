#include "actforge/onnx/graph.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "actforge/base/error.h"
#include "actforge/net/graph/network.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Names from an untrusted file in a message.
std::string in_quotes(std::string_view name) { return "'" + std::string(name.substr(0, 200)) + "'"; }

constexpr std::int64_t kOldestOpset = 7, kNewestOpset = 21;
constexpr std::size_t kMostEdges = 2'000'000;

bool is_own_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

OnnxNode plain_node(const onnx::NodeProto& proto) {
  OnnxNode node = {.proto = &proto};
  if (is_own_domain(proto.domain())) node.op = proto.op_type();
  return node;
}

bool holds_graph(const onnx::NodeProto& proto) {
  return std::any_of(proto.attribute().begin(), proto.attribute().end(),
                     [](const onnx::AttributeProto& a) { return a.has_g() || a.graphs_size() > 0; });
}

// What the graphs inside a node (the branches of an If, the body of a Loop) take from outside: every name they use;
// those they make themselves are never found outside. Depth is limited by protobuf's own limit on nesting.
void collect_names(const onnx::NodeProto& outer, std::vector<std::string_view>& names) {
  std::vector<const onnx::GraphProto*> todo;
  const auto add_graphs = [&](const onnx::NodeProto& node) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) todo.push_back(&attribute.g());
      for (const onnx::GraphProto& graph : attribute.graphs()) todo.push_back(&graph);
    }
  };
  add_graphs(outer);
  while (!todo.empty()) {
    const onnx::GraphProto& graph = *todo.back();
    todo.pop_back();
    for (const onnx::NodeProto& node : graph.node()) {
      names.insert(names.end(), node.input().begin(), node.input().end());
      add_graphs(node);
    }
    for (const onnx::ValueInfoProto& output : graph.output()) names.push_back(output.name());
  }
}

}  // namespace

std::string OnnxNode::title() const {
  const std::string& name = proto->name().empty() && proto->output_size() > 0 ? proto->output(0) : proto->name();
  return "node " + in_quotes(name) + " (" + proto->op_type().substr(0, 100) + ")";
}

OnnxGraph::OnnxGraph(const onnx::ModelProto& model) {
  if (!model.has_graph() || model.graph().node_size() == 0) refuse("it holds no graph of an ONNX model");
  title = model.graph().name();
  read_opset(model);
  read_values(model.graph());
  read_nodes(model.graph());
  sort_nodes();
  read_constant_nodes();
  drop_unused();
}

TensorId OnnxGraph::intern(std::string_view name) {
  const auto [place, is_new] = by_name_.emplace(name, static_cast<TensorId>(tensors.size()));
  if (is_new) tensors.push_back({.name = name});
  return place->second;
}

TensorId OnnxGraph::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? kNoTensor : found->second;
}

void OnnxGraph::read_opset(const onnx::ModelProto& model) {
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (is_own_domain(import.domain())) opset = import.version();
  }
  if (opset < kOldestOpset || opset > kNewestOpset) {
    refuse("it uses operator set " + std::to_string(opset) + " of ONNX; " + std::to_string(kOldestOpset) + " to " +
           std::to_string(kNewestOpset) + " are known here");
  }
}

void OnnxGraph::read_values(const onnx::GraphProto& graph) {
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    OnnxTensor& known = tensors[intern(tensor.name())];
    if (known.initializer != nullptr) refuse("two initializers are named " + in_quotes(tensor.name()));
    known.initializer = &tensor;
  }
  for (const onnx::ValueInfoProto& info : graph.value_info()) tensors[intern(info.name())].info = &info;
  for (const onnx::ValueInfoProto& info : graph.input()) {
    const TensorId id = intern(info.name());
    tensors[id].info = &info;
    if (tensors[id].initializer != nullptr) continue;  // files before version 4 list their weights here too
    if (tensors[id].is_input) refuse("two inputs are named " + in_quotes(info.name()));
    tensors[id].is_input = true;
    inputs.push_back(id);
  }
  for (const onnx::ValueInfoProto& info : graph.output()) {
    const TensorId id = intern(info.name());
    tensors[id].info = &info;
    if (tensors[id].is_output) refuse("two outputs are named " + in_quotes(info.name()));
    tensors[id].is_output = true;
    outputs.push_back(id);
  }
  if (outputs.empty()) refuse("its graph has no output");
}

void OnnxGraph::read_nodes(const onnx::GraphProto& graph) {
  std::size_t edges = 0;
  std::vector<std::string_view> captured;
  for (const onnx::NodeProto& proto : graph.node()) {
    OnnxNode node = plain_node(proto);
    const auto use = [&](std::string_view name) { return name.empty() ? kNoTensor : intern(name); };
    for (const std::string& name : proto.input()) node.inputs.push_back(use(name));
    if (holds_graph(proto)) {
      captured.clear();
      collect_names(proto, captured);
      // Only tensors that are known by now can come from outside; the order of the file says so.
      for (const std::string_view name : captured) {
        if (const TensorId id = find(name); id != kNoTensor) node.inputs.push_back(id);
      }
    }
    for (const std::string& name : proto.output()) {
      const TensorId id = use(name);
      node.outputs.push_back(id);
      if (id == kNoTensor) continue;
      OnnxTensor& made = tensors[id];
      if (made.producer >= 0 || made.is_input || made.initializer != nullptr) {
        refuse(node.title() + ": the name " + in_quotes(name) + " is already taken");
      }
      made.producer = static_cast<std::int32_t>(nodes.size());
    }
    edges += node.inputs.size() + node.outputs.size();
    if (edges > kMostEdges) refuse("its graph is too large");
    nodes.push_back(std::move(node));
  }
  if (nodes.size() > 4 * kMaxLayers) refuse("it has more than " + std::to_string(4 * kMaxLayers) + " nodes");
  for (const OnnxNode& node : nodes) {
    for (const TensorId id : node.inputs) {
      if (id == kNoTensor) continue;
      const OnnxTensor& tensor = tensors[id];
      if (tensor.producer < 0 && !tensor.is_input && tensor.initializer == nullptr) {
        refuse(node.title() + ": nothing makes its input " + in_quotes(tensor.name));
      }
    }
  }
  for (const TensorId id : outputs) {
    if (tensors[id].producer < 0 && !tensors[id].is_input && tensors[id].initializer == nullptr) {
      refuse("nothing makes the output " + in_quotes(tensors[id].name));
    }
  }
}

// The value of a Constant node is as good as an initializer, and so is an initializer by another name: exporters write
// equal ones only once.
void OnnxGraph::read_constant_nodes() {
  for (const OnnxNode& node : nodes) {
    if (node.outputs.size() != 1 || node.outputs[0] == kNoTensor) continue;
    if (node.op == "Identity" && node.input(0) != kNoTensor) {
      tensors[node.outputs[0]].initializer = tensors[node.inputs[0]].initializer;
    }
    if (node.op != "Constant") continue;
    if (const onnx::TensorProto* value = node.tensor("value")) tensors[node.outputs[0]].initializer = value;
  }
}

// The order of the file wherever it is one.
void OnnxGraph::sort_nodes() {
  std::vector<std::uint32_t> missing(nodes.size());
  std::vector<std::vector<std::uint32_t>> users(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (const TensorId id : nodes[i].inputs) {
      if (id == kNoTensor || tensors[id].producer < 0) continue;
      users[static_cast<std::size_t>(tensors[id].producer)].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<OnnxNode> sorted;
  while (!ready.empty()) {
    const std::uint32_t next = ready.top();
    ready.pop();
    for (const std::uint32_t user : users[next]) {
      if (--missing[user] == 0) ready.push(user);
    }
    for (const TensorId id : nodes[next].outputs) {
      if (id != kNoTensor) tensors[id].producer = static_cast<std::int32_t>(sorted.size());
    }
    sorted.push_back(std::move(nodes[next]));
  }
  if (sorted.size() != nodes.size()) {
    const auto stuck = std::find_if(missing.begin(), missing.end(), [](std::uint32_t count) { return count > 0; });
    refuse(nodes[static_cast<std::size_t>(stuck - missing.begin())].title() +
           ": it depends on itself (the graph has a cycle)");
  }
  nodes = std::move(sorted);
}

const OnnxNode* OnnxGraph::only_user(TensorId tensor) const {
  const OnnxTensor& known = tensors[tensor];
  return known.users.size() == 1 && !known.is_output ? &nodes[known.users[0]] : nullptr;
}

void OnnxGraph::replace(std::size_t at, onnx::NodeProto proto) {
  const onnx::NodeProto& kept = own_nodes_.emplace_back(std::move(proto));
  OnnxNode node = plain_node(kept);
  for (const std::string& name : kept.input()) node.inputs.push_back(find(name));
  node.outputs = nodes[at].outputs;
  nodes[at] = std::move(node);
}

void OnnxGraph::drop_unused() {
  for (OnnxTensor& tensor : tensors) tensor.users.clear();
  for (std::size_t i = nodes.size(); i-- > 0;) {
    OnnxNode& node = nodes[i];
    const bool used = std::any_of(node.outputs.begin(), node.outputs.end(), [&](TensorId id) {
      return id != kNoTensor && (tensors[id].is_output || !tensors[id].users.empty());
    });
    if (!used) {
      node.op = {};
      node.inputs.clear();
      node.outputs.clear();
      continue;
    }
    for (const TensorId id : node.inputs) {
      if (id != kNoTensor) tensors[id].users.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

}  // namespace actforge
