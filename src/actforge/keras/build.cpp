#include "actforge/keras/build.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

// Functions are replaced layer by layer, so activations share nothing; constants are each their own.
bool shares_weights(std::string_view kind) {
  const LayerKind& row = find_layer_kind(kind);
  return row.weights != nullptr && &row != &kActivationLayer && &row != &kConstantLayer;
}

}  // namespace

std::string network_name(const std::string& keras_name) {
  constexpr std::size_t kLongest = 180;  // leaves room for a number
  std::string name = keras_name.size() > kLongest ? keras_name.substr(keras_name.size() - kLongest) : keras_name;
  for (char& c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == '-' || c == '.' || c == '/';
    if (!good) c = '_';
  }
  return name.empty() ? "layer" : name;
}

KerasBuild::KerasBuild(const std::string& name) : builder_(network_name(name)), network_name_(network_name(name)) {}

std::string KerasBuild::new_name(const std::string& wanted) {
  const std::string base = network_name(wanted);
  std::string name = base;
  while (!names_.emplace(name, 0).second) name = base + "_" + std::to_string(++names_[base] + 1);
  return name;
}

LayerId KerasBuild::add(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes,
                        const std::string& name, std::vector<KerasWeightEntry> places) {
  std::optional<LayerId> shares;
  const bool weighted = calling_ != nullptr && shares_weights(kind);
  if (weighted && !first_call_) {
    const std::vector<LayerId>& first = first_calls_[calling_];
    if (weighted_ < first.size()) shares = first[weighted_];
  }
  const std::string good_name = new_name(name);
  const LayerId id = builder_.add(kind, inputs, attributes, good_name, shares);
  made_.push_back({find_layer_kind(kind).name, inputs, attributes, good_name, shares, {std::move(places), {}}});
  if (weighted) {
    ++weighted_;
    if (first_call_) first_calls_[calling_].push_back(id);
  }
  return id;
}

void KerasBuild::note(const std::string& sentence) {
  if (known_notes_.insert(sentence).second) notes_.push_back(sentence);
}

void KerasBuild::begin_call(const KerasLayer& layer) {
  calling_ = &layer;
  first_call_ = first_calls_.emplace(&layer, std::vector<LayerId>()).second;
  weighted_ = 0;
}

KerasTensor KerasBuild::arranged(const KerasTensor& tensor, const std::vector<std::size_t>& axes, std::size_t channel) {
  const Signal& from = signal(tensor.layer);
  if (tensor.axes == axes && from.channel_axis == axes[channel]) return tensor;
  const auto key = std::make_tuple(tensor.layer, axes, channel);
  if (const auto found = arranged_.find(key); found != arranged_.end()) return {found->second, axes};
  const std::string base = made_[tensor.layer].name;
  LayerId layer = tensor.layer;
  if (tensor.axes != axes) {
    Shape order(axes.size());
    for (std::size_t k = 0; k < axes.size(); ++k) order[axes[k]] = static_cast<std::int64_t>(tensor.axes[k]);
    const std::string_view suffix = axes[channel] == 0 ? "/first" : axes == same_axes(axes.size()) ? "/last" : "/moved";
    layer = add("permute", {layer}, {{"order", order}}, base + std::string(suffix));
  }
  if (signal(layer).channel_axis != axes[channel]) {
    layer = add("reshape", {layer}, {{"shape", signal(layer).shape}, {"channels", std::to_string(axes[channel])}},
                base + "/channels");
  }
  arranged_.emplace(key, layer);
  return {layer, axes};
}

void KerasBuild::set_output(const KerasTensor& tensor, KerasOutputEntry place) {
  made_[tensor.layer].origin.outputs.push_back(std::move(place));
}

std::vector<bool> KerasBuild::used_layers(const std::vector<LayerId>& outputs) const {
  std::vector<bool> used(made_.size());
  for (const LayerId id : outputs) used[id] = true;
  for (std::size_t id = made_.size(); id-- > 0;) {
    if (!used[id]) continue;
    for (const LayerId input : made_[id].inputs) used[input] = true;
  }
  return used;
}

Network KerasBuild::finish(const std::vector<KerasTensor>& outputs) {
  std::vector<LayerId> ends;
  std::set<LayerId> known;
  for (const KerasTensor& output : outputs) {
    if (known.insert(output.layer).second) ends.push_back(output.layer);
  }
  const std::vector<bool> used = used_layers(ends);
  NetworkBuilder last(network_name_);
  std::vector<LayerId> new_ids(made_.size());
  std::map<LayerId, LayerId> owners;  // of shared weights: the first layer of theirs that is used
  origins_.clear();
  std::size_t left_out = 0;
  for (LayerId id = 0; id < made_.size(); ++id) {
    Made& made = made_[id];
    if (!used[id]) {
      ++left_out;
      continue;
    }
    std::vector<LayerId> inputs;
    inputs.reserve(made.inputs.size());
    for (const LayerId input : made.inputs) inputs.push_back(new_ids[input]);
    std::optional<LayerId> shares;
    const auto owner = owners.find(made.shares.value_or(id));
    if (made.shares && owner != owners.end()) shares = owner->second;
    new_ids[id] = last.add(made.kind, inputs, made.attributes, made.name, shares);
    if (owner == owners.end()) owners.emplace(made.shares.value_or(id), new_ids[id]);
    origins_.push_back(std::move(made.origin));
  }
  if (left_out > 0) note(std::to_string(left_out) + " layer(s) lead to no output of the model and are left out");
  for (LayerId& id : ends) id = new_ids[id];
  return last.finish(ends);
}

Shape keras_shape(const KerasBuild& build, const KerasTensor& tensor) {
  const Shape& shape = build.signal(tensor.layer).shape;
  Shape answer;
  for (const std::size_t axis : tensor.axes) answer.push_back(shape[axis]);
  return answer;
}

std::size_t keras_channel_axis(const KerasBuild& build, const KerasTensor& tensor) {
  const std::size_t channel = build.signal(tensor.layer).channel_axis;
  return static_cast<std::size_t>(std::find(tensor.axes.begin(), tensor.axes.end(), channel) - tensor.axes.begin());
}

std::vector<std::size_t> same_axes(std::size_t rank) {
  std::vector<std::size_t> axes(rank);
  for (std::size_t k = 0; k < rank; ++k) axes[k] = k;
  return axes;
}

std::vector<std::size_t> first_axes(std::size_t rank, std::size_t channel) {
  std::vector<std::size_t> axes(rank);
  std::size_t next = 1;
  for (std::size_t k = 0; k < rank; ++k) axes[k] = k == channel ? 0 : next++;
  return axes;
}

}  // namespace actforge
