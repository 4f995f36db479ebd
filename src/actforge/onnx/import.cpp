#include "actforge/onnx/import.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/onnx/nodes.h"
#include "actforge/onnx/patterns.h"
#include "actforge/onnx/tensor.h"
#include "actforge/onnx/write.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Where the channels are after a reshape: in the extent that is the same as before, or else in the last one.
std::size_t channels_after(const Signal& before, const Shape& after) {
  std::int64_t stride = 1;
  for (std::size_t i = before.shape.size(); i-- > before.channel_axis + 1;) stride *= before.shape[i];
  std::int64_t own = 1;
  for (std::size_t i = after.size(); i-- > 0; own *= after[i]) {
    if (own == stride && after[i] == before.channels()) return i;
  }
  return after.size() - 1;
}

}  // namespace

std::string clean_onnx_name(std::string_view name) {
  constexpr std::size_t kLongest = 160;  // leaves room for what distinguishes equal ones
  std::string clean;
  for (const char c : name.substr(0, kLongest)) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == '-' || c == '.' || c == '/';
    clean += good ? c : '_';
  }
  return clean.empty() ? "layer" : clean;
}

OnnxImporter::OnnxImporter(const OnnxGraph& graph, const OnnxFunctions& functions, std::string folder,
                           ChannelsLast& channels_last)
    : graph_(graph),
      functions_(functions),
      folder_(std::move(folder)),
      channels_last_(channels_last),
      builder_(clean_onnx_name(graph.title)),
      values_(graph.tensors.size()),
      index_inputs_(graph.tensors.size()) {}

ImportedOnnx OnnxImporter::run() {
  for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
    const OnnxTensor& tensor = graph_.tensors[id];
    if (tensor.initializer != nullptr && (!tensor.users.empty() || tensor.is_output)) {
      OnnxConstant constant = constant_of(*tensor.initializer);
      constant.name = id;
      set_constant(id, std::move(constant));
    }
  }
  find_index_inputs();
  read_inputs();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) visit(i);
  return finish();
}

void OnnxImporter::note(const OnnxNode& node, const std::string& what) { notes_.push_back(node.title() + ": " + what); }

std::string OnnxImporter::unique_name(std::string_view wanted) {
  std::string name = clean_onnx_name(wanted);
  for (int& count = names_[name];;) {
    if (++count == 1) return name;
    std::string numbered = name + "_" + std::to_string(count);
    if (names_.emplace(numbered, 1).second) return numbered;
  }
}

std::string OnnxImporter::layer_name(const OnnxNode& node, std::string_view part) {
  const std::string& own = node.proto->name();
  std::string name = clean_onnx_name(!own.empty()                    ? own
                                     : node.proto->output_size() > 0 ? node.proto->output(0)
                                                                     : "layer");
  return unique_name(part.empty() ? name : name.substr(0, 140) + "/" + std::string(part));
}

LayerId OnnxImporter::build(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes,
                            std::string name, std::optional<LayerId> shares) {
  const LayerId id = builder_.add(kind, inputs, attributes, name, shares);
  made_.push_back({std::string(kind), inputs, attributes, std::move(name), shares});
  return id;
}

LayerId OnnxImporter::add(const OnnxNode& node, std::string_view kind, const std::vector<LayerId>& inputs,
                          const Attributes& attributes, std::string_view part) {
  const LayerId made = build(kind, inputs, attributes, layer_name(node, part));
  const bool keeps_place = kind == "activation" || kind == "dropout";
  if (const auto origin = origins_.find(keeps_place ? inputs[0] : made); origin != origins_.end()) {
    origins_.emplace(made, origin->second);
  }
  return made;
}

LayerId OnnxImporter::add_weighted(const OnnxNode& node, std::string_view kind, LayerId input,
                                   const Attributes& attributes, const std::vector<WeightSource>& sources) {
  // Most weights have one owner. Where many layers use the same first weight, the first few are looked at.
  constexpr int kMostOwners = 16;
  std::optional<LayerId> shares;
  auto [owner, end] = owners_.equal_range(sources[0].tensor);
  for (int i = 0; sources[0].tensor != nullptr && owner != end && i < kMostOwners && !shares; ++owner, ++i) {
    bool same = true;
    for (std::size_t w = 0; w < sources.size(); ++w) {
      const auto theirs = sources_.find({owner->second, w});
      same = same && theirs != sources_.end() && theirs->second == sources[w];
    }
    same = same && !sources_.contains({owner->second, sources.size()});
    if (same) shares = owner->second;
  }
  LayerId made = 0;
  const std::string name = layer_name(node, {});
  try {
    made = build(kind, {input}, attributes, name, shares);
  } catch (const Error&) {
    if (!shares) throw;
    made = build(kind, {input}, attributes, name);  // the same numbers in a layer of another kind
    shares.reset();
  }
  if (!shares && sources[0].tensor != nullptr) owners_.emplace(sources[0].tensor, made);
  for (std::size_t w = 0; w < sources.size(); ++w) sources_[{made, w}] = sources[w];
  if (!shares) check_sources(node, made, sources);
  return made;
}

void OnnxImporter::check_sources(const OnnxNode& node, LayerId made, const std::vector<WeightSource>& sources) {
  const std::vector<Weight>& weights = builder_.weights(made);
  for (std::size_t w = 0; w < std::min(sources.size(), weights.size()); ++w) {
    if (sources[w].tensor != nullptr) {
      const std::string wrong = weight_size_problem(sources[w], weights[w].shape, tensor_size(*sources[w].tensor));
      if (!wrong.empty()) throw OnnxMisfit(wrong);
    } else if (weights[w].role == WeightRole::kKernel || weights[w].role == WeightRole::kEmbedding) {
      note(node, "its weights are no floats of the file but computed from other numbers; they cannot be replaced");
    }
  }
}

LayerId OnnxImporter::layer_of(const OnnxNode& node, const OnnxValue& value, std::optional<std::size_t> channels) {
  return layer_as(node, value.layer, sample_shape(value.dims), channels);
}

LayerId OnnxImporter::layer_as(const OnnxNode& node, LayerId layer, const Shape& sample,
                               std::optional<std::size_t> channels) {
  const Signal& signal = builder_.signal(layer);
  if (signal.shape == sample) {
    if (!channels || *channels == signal.channel_axis) return layer;
    const auto origin = origins_.find(layer);
    if (origin != origins_.end() && *channels < origin->second.axes.size()) {
      const Origin& from = origin->second;
      const bool last = from.axes[*channels] + 1 == static_cast<std::int64_t>(from.axes.size());
      if (last && channels_last_.emplace(from.input, true).second) throw Restart();
    }
  }
  const std::size_t axis = channels.value_or(channels_after(signal, sample));
  const auto [place, is_new] = reshaped_.try_emplace({layer, sample, axis}, layer);
  if (!is_new) return place->second;
  try {
    place->second = sample.size() == 1
                        ? add(node, "flatten", {layer}, {}, "flatten")
                        : add(node, "reshape", {layer},
                              {{"shape", sample}, {"channels", static_cast<std::int64_t>(axis)}}, "reshape");
  } catch (...) {
    reshaped_.erase(place);
    throw;
  }
  return place->second;
}

void OnnxImporter::remember_permutation(LayerId made, LayerId from, const Shape& order) {
  const auto origin = origins_.find(from);
  if (origin == origins_.end()) return;
  Shape axes;
  for (const std::int64_t axis : order) axes.push_back(origin->second.axes[static_cast<std::size_t>(axis)]);
  origins_[made] = {origin->second.input, axes};
}

std::optional<std::pair<TensorId, double>> OnnxImporter::scale_after(TensorId id) const {
  const OnnxNode* user = graph_.only_user(id);
  if (user == nullptr || user->outputs.size() != 1 || user->outputs[0] == kNoTensor) return std::nullopt;
  const auto& function = functions_.made[user->outputs[0]];
  if (!function || function->base != id || !function->line || function->line->offset != 0) return std::nullopt;
  if (!std::isfinite(function->line->slope) || function->rank > 1) return std::nullopt;
  return std::pair(user->outputs[0], function->line->slope);
}

void OnnxImporter::set(TensorId id, LayerId layer, Dims dims) {
  if (id == kNoTensor) return;
  values_[id] = {.kind = OnnxValue::Kind::kSignal, .layer = layer, .dims = std::move(dims)};
}

void OnnxImporter::set_constant(TensorId id, OnnxConstant constant) {
  if (id == kNoTensor) return;
  if (constant.numbers) folded_ += static_cast<std::int64_t>(constant.numbers->size());
  constexpr std::size_t kMostExtents = 64;
  if (constant.dims.size() > kMostExtents) refuse("a constant has too many extents");
  if (folded_ > kMaxFoldedTotal) refuse("it computes too many constants");
  values_[id] = {.kind = OnnxValue::Kind::kConstant, .constant = std::move(constant)};
}

void OnnxImporter::visit(std::size_t index) {
  const OnnxNode& node = graph_.nodes[index];
  if (node.outputs.empty() || functions_.inside[index]) return;
  const TensorId output = node.outputs[0];
  // A Constant node, or one that was taken together with an earlier one.
  if (output != kNoTensor && values_[output].kind != OnnxValue::Kind::kUnknown) return;
  try {
    const auto& function = output == kNoTensor ? std::nullopt : functions_.made[output];
    if (function && values_[function->base].is_signal()) return visit_function(node, *function);
    if (fold_node(node)) return;
    visit_known(node);
  } catch (const OnnxAttributeError&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), node.title() + ": " + error.what());
  }
}

bool OnnxImporter::fold_node(const OnnxNode& node) {
  if (node.outputs.size() != 1) {
    if (node.op != "Dropout" || node.inputs.empty() || node.inputs[0] == kNoTensor) return false;
    if (!values_[node.inputs[0]].is_constant()) return false;
  }
  std::vector<OnnxValue*> inputs;
  inputs.reserve(node.inputs.size());
  for (const TensorId id : node.inputs) inputs.push_back(id == kNoTensor ? nullptr : &values_[id]);
  std::optional<OnnxConstant> made = fold(node, inputs, folder_, batch_size_);
  if (!made) return false;
  set_constant(node.outputs[0], std::move(*made));
  return true;
}

// What a node computes from constants alone is a constant, even if it is not known here how: weights that are stored as
// whole numbers, for instance.
bool OnnxImporter::add_unknown_constant(const OnnxNode& node) {
  if (node.inputs.empty() || node.outputs.size() != 1 || node.outputs[0] == kNoTensor) return false;
  for (const TensorId id : node.inputs) {
    if (id != kNoTensor && !values_[id].is_constant()) return false;
  }
  if (node.inputs[0] == kNoTensor) return false;
  OnnxConstant constant = {.dims = values_[node.inputs[0]].constant.dims};
  if (const auto declared = declared_dims(node.outputs[0], node)) {
    constant.dims = *declared;
    for (Dim& dim : constant.dims) {  // no extent of a constant counts samples, even one of that size
      dim = {.size = dim.batch ? dim.size * batch_size_.value_or(1) : dim.size};
    }
  }
  constant.size();  // for its checks
  set_constant(node.outputs[0], std::move(constant));
  note(node, "its numbers are not computed here");
  return true;
}

void OnnxImporter::visit_known(const OnnxNode& node) {
  if (add_unknown_constant(node)) return;
  const OnnxHandler handler = find_onnx_handler(node.op);
  if (handler == nullptr) {
    if (add_opaque(node, std::nullopt, true)) return;
    refuse("it is not known here, and the file does not say what extents its output has");
  }
  try {
    OnnxStep step(*this, node);
    handler(step);
  } catch (const OnnxAttributeError&) {
    throw;
  } catch (const OnnxMisfit&) {
    throw;
  } catch (const Error& error) {
    if (!add_opaque(node, std::nullopt, false)) throw;
    note(node, std::string("it is not known here in this form: ") + error.what());
  }
}

void OnnxImporter::visit_function(const OnnxNode& node, const OnnxFunction& function) {
  if (function.line) return visit_line(node, function, *function.line);
  const OnnxValue& base = values_[function.base];
  // For most functions the extents do not matter, but for a parameter per channel they do.
  const LayerId input = function.slopes == kNoTensor ? base.layer : layer_of(node, base, std::nullopt);
  const LayerId made =
      build("activation", {input},
            {{"function", parse_attribute({"function", AttributeType::kFunction, "", ""}, function.text)}},
            layer_name(node, {}));
  if (const auto origin = origins_.find(input); origin != origins_.end()) origins_.emplace(made, origin->second);
  Dims dims = base.dims;
  while (dims.size() < function.rank) dims.insert(dims.begin(), Dim{});
  activations_.emplace(made, node.outputs[0]);
  if (function.slopes != kNoTensor) {
    const onnx::TensorProto* slopes = graph_.tensors[function.slopes].initializer;
    const std::int64_t size = tensor_size(*slopes);
    if (size == 1 || size == builder_.signal(made).channels()) {
      sources_[{made, 0}] = {.tensor = slopes};
    } else {
      note(node, "its slopes are not one per channel; their mean is taken");
    }
  }
  set(node.outputs[0], made, std::move(dims));
}

// No activation function: a search that puts others in its place must leave it alone.
void OnnxImporter::visit_line(const OnnxNode& node, const OnnxFunction& function, const OnnxFunction::Line& line) {
  if (!std::isfinite(line.slope) || !std::isfinite(line.offset)) refuse("its constants are not finite");
  const OnnxValue& base = values_[function.base];
  LayerId layer = base.layer;
  const auto apply = [&](const char* kind, double number) {
    const Signal signal = builder_.signal(layer);
    const LayerId constant = build("constant", {},
                                   {{"shape", Shape(signal.shape.size(), 1)},
                                    {"channels", static_cast<std::int64_t>(signal.channel_axis)},
                                    {"mean", number}},
                                   layer_name(node, "constant"));
    layer = add(node, kind, {layer, constant}, {}, kind);
  };
  if (line.slope != 1) apply("multiply", line.slope);
  if (line.offset != 0) apply("add", line.offset);
  Dims dims = base.dims;
  while (dims.size() < function.rank) dims.insert(dims.begin(), Dim{});
  set(node.outputs[0], layer, std::move(dims));
}

ImportedOnnx import_onnx(const onnx::ModelProto& model, const std::string& folder) {
  OnnxGraph graph(model);
  find_layer_norms(graph, folder);
  const OnnxFunctions functions = find_functions(graph, folder);
  OnnxImporter::ChannelsLast channels_last;
  for (;;) {  // at most once per input
    try {
      return OnnxImporter(graph, functions, folder, channels_last).run();
    } catch (const OnnxImporter::Restart&) {
      continue;  // channels_last has one input more
    }
  }
}

}  // namespace actforge
