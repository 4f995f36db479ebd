// Where a graph begins and ends: its inputs, which extent of them counts the samples, what it declares, its outputs.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/onnx/import.h"
#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// What passes whole numbers on to an embedding.
bool passes_indices(std::string_view op) {
  constexpr std::string_view kOps[] = {"Identity", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose"};
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

bool is_recurrent(std::string_view op) { return op == "LSTM" || op == "GRU" || op == "RNN"; }

const onnx::TensorShapeProto* shape_in(const onnx::ValueInfoProto* info) {
  if (info == nullptr || !info->type().has_tensor_type() || !info->type().tensor_type().has_shape()) return nullptr;
  return &info->type().tensor_type().shape();
}

template <class Statistics, class Numbers>
Statistics statistics(const Numbers& numbers, bool inverted) {
  double count = 0, sum = 0, squares = 0;
  Statistics result;
  for (const double number : numbers) {
    const double value = inverted ? 1 / number : number;
    if (!std::isfinite(value)) {
      result.all_finite = false;
      continue;
    }
    // Welford's recurrence keeps the variance of nearly equal numbers.
    const double change = value - sum;
    sum += change / ++count;
    squares += change * (value - sum);
  }
  result.mean = sum;
  result.variance = count > 0 ? squares / count : 0;
  if (!std::isfinite(result.mean) || !std::isfinite(result.variance)) return {.all_finite = false};
  return result;
}

// Equal tensors that an exporter wrote once, or weights that layers of different kinds share: they change together.
void note_common_numbers(ImportedOnnx& imported) {
  std::map<std::pair<const onnx::TensorProto*, std::int64_t>, LayerId> owners;
  for (const auto& [key, source] : imported.sources) {
    const Layer& layer = imported.network.layer(key.first);
    if (source.tensor == nullptr || layer.shares) continue;
    const auto [owner, is_new] = owners.emplace(std::pair(source.tensor, source.offset), key.first);
    if (is_new) continue;
    imported.notes.push_back("layer '" + layer.name + "': the file has its " + layer.weights[key.second].name +
                             " and that of '" + imported.network.layer(owner->second).name + "' only once, in '" +
                             source.tensor->name().substr(0, 200) + "'");
  }
}

}  // namespace

// Inputs whose numbers reach the places of a Gather from a table.
void OnnxImporter::find_index_inputs() {
  std::vector<TensorId> todo;
  for (const OnnxNode& node : graph_.nodes) {
    if (node.op != "Gather" || node.inputs.size() != 2 || node.inputs[0] == kNoTensor) continue;
    if (graph_.tensors[node.inputs[0]].initializer != nullptr && node.inputs[1] != kNoTensor) {
      todo.push_back(node.inputs[1]);
    }
  }
  while (!todo.empty()) {
    const TensorId id = todo.back();
    todo.pop_back();
    if (index_inputs_[id]) continue;
    index_inputs_[id] = true;
    const std::int32_t producer = graph_.tensors[id].producer;
    if (producer < 0) continue;
    const OnnxNode& node = graph_.nodes[static_cast<std::size_t>(producer)];
    if (passes_indices(node.op) && node.input(0) != kNoTensor) todo.push_back(node.inputs[0]);
  }
}

bool OnnxImporter::is_index_input(TensorId id) const { return index_inputs_[id]; }

// The first extent, unless the input goes into a recurrent layer that has it second, or only the second is left open.
std::size_t OnnxImporter::input_batch_axis(TensorId id, const onnx::TensorShapeProto& shape) const {
  if (shape.dim_size() < 2) return 0;
  for (const std::uint32_t user : graph_.tensors[id].users) {
    const OnnxNode& node = graph_.nodes[user];
    if (is_recurrent(node.op) && node.input(0) == id && node.integer("layout", 0) == 0) return 1;
  }
  return shape.dim(0).dim_value() > 0 && !(shape.dim(1).dim_value() > 0) ? 1 : 0;
}

void OnnxImporter::read_inputs() {
  bool first = true;
  for (const TensorId id : graph_.inputs) {
    const OnnxTensor& tensor = graph_.tensors[id];
    const std::string title = "input '" + std::string(tensor.name.substr(0, 200)) + "'";
    if (tensor.users.empty() && !tensor.is_output) {
      notes_.push_back(title + ": nothing uses it");
      continue;
    }
    const onnx::TensorShapeProto* shape = shape_in(tensor.info);
    if (shape == nullptr) refuse(title + ": the file does not say what extents it has; give it fixed ones");
    if (shape->dim_size() > static_cast<int>(kMaxRank)) refuse(title + ": it has too many extents");
    const std::size_t axis = input_batch_axis(id, *shape);
    Dims dims;
    for (int i = 0; i < shape->dim_size(); ++i) {
      const auto& dim = shape->dim(i);
      if (static_cast<std::size_t>(i) == axis) {
        constexpr std::int64_t kMostSamples = 1 << 24;
        if (dim.dim_value() > kMostSamples) refuse(title + ": it has too many samples");
        if (first && dim.dim_value() > 0) batch_size_ = dim.dim_value();
        if (first) batch_name_ = dim.dim_param();
        first = false;
        dims.push_back({.size = 1, .batch = true});
        continue;
      }
      if (dim.dim_value() <= 0 || dim.dim_value() > kMaxElements) {
        const std::string name = dim.dim_param().empty() ? "" : " ('" + dim.dim_param().substr(0, 100) + "')";
        refuse(title + ": its extent " + std::to_string(i) + name +
               " has no fixed size; export the model with a fixed one, or set it in the file");
      }
      dims.push_back({.size = dim.dim_value()});
    }
    const Shape sample = sample_shape(dims);
    const bool last = channels_last_.contains(id) && sample.size() > 1;
    Attributes attributes = {{"shape", sample}};
    if (is_index_input(id)) attributes.emplace_back("indices", true);
    if (last) attributes.emplace_back("channels_last", true);
    LayerId layer = 0;
    try {
      layer = build("input", {}, attributes, unique_name(tensor.name));
    } catch (const Error& error) {
      refuse(title + ": " + error.what());
    }
    Origin origin = {.input = id, .axes = {}};
    for (std::size_t i = 0; i < sample.size(); ++i) origin.axes.push_back(static_cast<std::int64_t>(i));
    origins_.emplace(layer, std::move(origin));
    set(id, layer, std::move(dims));
  }
}

std::optional<Dims> OnnxImporter::declared_dims(TensorId id, const OnnxNode& node) {
  const onnx::TensorShapeProto* shape = shape_in(graph_.tensors[id].info);
  if (shape == nullptr || shape->dim_size() > static_cast<int>(kMaxRank)) return std::nullopt;
  std::size_t wanted = 0;  // where the first input counts the samples
  for (const TensorId input : node.inputs) {
    if (input == kNoTensor || !values_[input].is_signal()) continue;
    wanted = batch_axis(values_[input].dims).value_or(0);
    break;
  }
  Dims dims;
  std::optional<std::size_t> batch;
  for (int i = 0; i < shape->dim_size(); ++i) {
    const std::int64_t extent = shape->dim(i).dim_value();
    if (extent > kMaxElements) return std::nullopt;
    if (extent <= 0) {
      if (batch || batch_size_) return std::nullopt;
      batch = dims.size();
    }
    dims.push_back({.size = std::max<std::int64_t>(extent, 1)});
  }
  if (!batch && batch_size_) {
    for (const std::size_t axis : {wanted, std::size_t{0}}) {
      if (batch || axis >= dims.size() || dims[axis].size % *batch_size_ != 0) continue;
      batch = axis;
      dims[axis].size /= *batch_size_;
    }
  }
  if (batch) dims[*batch].batch = true;
  return dims;
}

bool OnnxImporter::add_opaque(const OnnxNode& node, const std::optional<Dims>& dims, bool guess) {
  std::vector<LayerId> inputs;
  std::set<LayerId> seen;
  const OnnxValue* first = nullptr;
  for (const TensorId id : node.inputs) {
    if (id == kNoTensor || !values_[id].is_signal()) continue;
    if (first == nullptr) first = &values_[id];
    if (seen.insert(values_[id].layer).second) inputs.push_back(values_[id].layer);
  }
  std::vector<std::pair<TensorId, Dims>> outputs;
  bool guessed = false;
  for (const TensorId id : node.outputs) {
    if (id == kNoTensor || (graph_.tensors[id].users.empty() && !graph_.tensors[id].is_output)) continue;
    std::optional<Dims> own = dims ? dims : declared_dims(id, node);
    if (!own && guess && first != nullptr) {
      own = first->dims;
      guessed = true;
    }
    if (!own) return false;
    outputs.emplace_back(id, std::move(*own));
  }
  std::string type = clean_onnx_name(node.proto->op_type());
  for (auto& [id, own] : outputs) {
    const Shape sample = sample_shape(own);
    const bool same = first != nullptr && builder_.signal(first->layer).shape == sample;
    const std::size_t axis = same ? builder_.signal(first->layer).channel_axis : 0;
    const LayerId made =
        build("opaque", inputs, {{"type", type}, {"shape", sample}, {"channels", static_cast<std::int64_t>(axis)}},
              layer_name(node, {}));
    set(id, made, std::move(own));
  }
  if (dims || guess) {
    note(node, std::string("it is not known here") +
                   (guessed ? ", nor what extents its output has: those of its first input are taken" : ""));
  }
  return true;
}

OnnxImporter::Statistics OnnxImporter::constant_statistics(const OnnxNode& node, const OnnxConstant& constant,
                                                           bool inverted) {
  Statistics result;
  if (constant.fill) {
    result.mean = inverted ? 1 / *constant.fill : *constant.fill;
  } else if (constant.numbers) {
    std::vector<double> plain;
    for (const Symbol& symbol : *constant.numbers) {
      if (symbol.batch) refuse("it computes with the number of samples");
      plain.push_back(symbol.value);
    }
    result = statistics<Statistics>(plain, inverted);
  } else if (constant.tensor != nullptr && constant.size() <= kMaxStatistics) {
    const auto [known, is_new] = statistics_.try_emplace({constant.tensor, inverted});
    if (is_new) known->second = statistics<Statistics>(tensor_floats(*constant.tensor, folder_), inverted);
    result = known->second;
  } else {
    result = {.mean = 0, .variance = 1};
    note(node, "its constant cannot be looked at; mean 0 and variance 1 are taken");
  }
  return std::isfinite(result.mean) ? result : Statistics{.all_finite = false};
}

LayerId OnnxImporter::constant_layer(const OnnxNode& node, OnnxConstant& constant, const Dims& whole,
                                     std::size_t channels, bool inverted) {
  Dims own = constant.dims;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::size_t place = whole.size() - own.size() + i;
    if (place < whole.size() && whole[place].batch && own[i].size != 1) {
      refuse("it computes with numbers that differ from sample to sample");
    }
  }
  const Shape shape = aligned_sample(own, whole);
  const Statistics numbers = constant_statistics(node, constant, inverted);
  if (!numbers.all_finite) note(node, "numbers of its constant that are not finite are left out of its mean");
  const LayerId made = build("constant", {},
                             {{"shape", shape},
                              {"channels", static_cast<std::int64_t>(std::min(channels, shape.size() - 1))},
                              {"mean", numbers.mean},
                              {"variance", numbers.variance}},
                             layer_name(node, "constant"));
  if (constant.tensor != nullptr && !constant.transposed && is_float_type(constant.tensor->data_type())) {
    sources_[{made, 0}] = {.tensor = constant.tensor, .inverted = inverted};
  }
  return made;
}

std::vector<LayerId> OnnxImporter::find_outputs() {
  std::vector<LayerId> outputs;
  for (const TensorId id : graph_.outputs) {
    const std::string title = "output '" + std::string(graph_.tensors[id].name.substr(0, 200)) + "'";
    if (!values_[id].is_signal()) {
      notes_.push_back(title + ": it is a constant, and left out");
      continue;
    }
    onnx::NodeProto proto;
    proto.set_name(std::string(graph_.tensors[id].name));
    const LayerId layer = layer_of({.proto = &proto}, values_[id], std::nullopt);
    if (std::find(outputs.begin(), outputs.end(), layer) != outputs.end()) {
      notes_.push_back(title + ": it is the same as another output");
      continue;
    }
    outputs.push_back(layer);
  }
  if (outputs.empty()) refuse("none of its outputs depends on an input");
  return outputs;
}

// Layers that lead to no output are dropped: those made for a node that then turned out to be unknown.
ImportedOnnx OnnxImporter::finish() {
  std::vector<LayerId> outputs = find_outputs();
  std::vector<bool> used(made_.size());
  for (const LayerId id : outputs) used[id] = true;
  for (std::size_t id = made_.size(); id-- > 0;) {
    if (!used[id]) continue;
    for (const LayerId input : made_[id].inputs) used[input] = true;
  }
  NetworkBuilder builder(clean_onnx_name(graph_.title));
  std::map<LayerId, LayerId> owners;  // of shared weights: the first that is used
  std::vector<LayerId> place(made_.size());
  for (LayerId id = 0; id < made_.size(); ++id) {
    if (!used[id]) continue;
    const Made& made = made_[id];
    std::vector<LayerId> inputs;
    inputs.reserve(made.inputs.size());
    for (const LayerId input : made.inputs) inputs.push_back(place[input]);
    const auto owner = owners.find(made.shares.value_or(id));
    place[id] = builder.add(made.kind, inputs, made.attributes, made.name,
                            owner == owners.end() ? std::nullopt : std::optional(owner->second));
    owners.emplace(made.shares.value_or(id), place[id]);
  }
  for (LayerId& id : outputs) id = place[id];
  ImportedOnnx result = {.network = builder.finish(outputs), .notes = std::move(notes_)};
  for (const auto& [key, source] : sources_) {
    if (used[key.first]) result.sources[{place[key.first], key.second}] = source;
  }
  note_common_numbers(result);
  for (const auto& [layer, tensor] : activations_) {
    if (used[layer]) result.activations[place[layer]] = graph_.tensors[tensor].name;
  }
  return result;
}

}  // namespace actforge
