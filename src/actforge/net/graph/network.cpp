#include "actforge/net/graph/network.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/net/graph/layer_kind.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

template <class Wanted>
std::int64_t count_numbers(const Layer& layer, Wanted wanted) {
  std::int64_t count = 0;
  if (layer.shares) return count;
  for (const Weight& weight : layer.weights) {
    if (wanted(weight.role)) count += element_count(weight.shape);
  }
  return count;
}

// Names are written in files, tables and pictures, and are matched by patterns.
void check_name(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '/';
  };
  if (name.empty() || name.size() > kLongest || !std::all_of(name.begin(), name.end(), is_good)) {
    refuse("a name has 1 to 200 letters, digits, and _ - . /; '" + std::string(name.substr(0, kLongest)) + "' has not");
  }
}

std::vector<AttributeValue> fill_attributes(const LayerKind& kind, const Attributes& given) {
  std::vector<std::optional<AttributeValue>> found(kind.attributes.size());
  for (const auto& [name, value] : given) {
    const std::size_t index = attribute_index(kind, name);
    if (found[index]) refuse("the setting '" + name + "' is given twice");
    found[index] = checked_attribute(kind.attributes[index], value);
  }
  std::vector<AttributeValue> values;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const AttributeRow& row = kind.attributes[i];
    std::optional<AttributeValue>& value = found[i];
    if (!value && row.default_text.empty()) {
      refuse("the setting '" + std::string(row.name) + "' is missing: " + std::string(row.help));
    }
    values.push_back(value ? std::move(*value) : parse_attribute(row, row.default_text));
  }
  return values;
}

void check_input_count(const LayerKind& kind, std::size_t count) {
  if (count >= kind.least_inputs && count <= kind.most_inputs) return;
  const std::string wanted = kind.most_inputs == 0 ? "no inputs"
                             : kind.least_inputs == kind.most_inputs
                                 ? std::to_string(kind.least_inputs) + (kind.least_inputs == 1 ? " input" : " inputs")
                             : count < kind.least_inputs ? "at least " + std::to_string(kind.least_inputs) + " inputs"
                                                         : "at most " + std::to_string(kind.most_inputs) + " inputs";
  refuse("it takes " + wanted + ", not " + std::to_string(count));
}

}  // namespace

std::int64_t Layer::weight_count() const { return count_numbers(*this, is_counted_weight); }
std::int64_t Layer::parameter_count() const { return count_numbers(*this, is_learned); }

bool takes_functions(const Layer& layer) {
  return layer.kind == &kActivationLayer && !std::get<bool>(layer.attributes[attribute_index(*layer.kind, "fixed")]);
}

LayerSetting Network::setting(LayerId id) const { return setting(layers_[id]); }

LayerSetting Network::setting(const Layer& layer) const {
  LayerSetting setting = {.kind = layer.kind, .attributes = layer.attributes, .inputs = {}};
  for (const LayerId input : layer.inputs) setting.inputs.push_back(layers_[input].output);
  return setting;
}

std::int64_t Network::weight_count() const {
  std::int64_t count = 0;
  for (const Layer& layer : layers_) count += layer.weight_count();
  return count;
}

std::int64_t Network::parameter_count() const {
  std::int64_t count = 0;
  for (const Layer& layer : layers_) count += layer.parameter_count();
  return count;
}

void Network::set_activation(const Expr& function, std::string_view pattern) {
  if (activation_count(pattern) == 0) {
    std::vector<std::string_view> names;
    for (const Layer& layer : layers_) {
      if (takes_functions(layer)) names.push_back(layer.name);
    }
    if (names.empty()) refuse("network '" + name_ + "' has no activations");
    refuse("no activation of '" + name_ + "' matches '" + std::string(pattern) + "'" + nearest_or_list(pattern, names));
  }
  for (LayerId id = 0; id < layers_.size(); ++id) {
    const Layer& layer = layers_[id];
    if (!takes_functions(layer) || !matches_pattern(layer.name, pattern)) continue;
    set_function(id, function);
  }
}

void Network::set_function(LayerId activation, const Expr& function) {
  Layer& layer = layers_.at(activation);
  layer.attributes[attribute_index(*layer.kind, "function")] = function;
  layer.weights = layer.kind->weights(setting(activation));
}

std::size_t Network::activation_count(std::string_view pattern) const {
  return static_cast<std::size_t>(std::count_if(layers_.begin(), layers_.end(), [&](const Layer& layer) {
    return takes_functions(layer) && matches_pattern(layer.name, pattern);
  }));
}

NetworkBuilder::NetworkBuilder(std::string name) {
  check_name(name);
  network_.name_ = std::move(name);
}

LayerId NetworkBuilder::add(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes,
                            std::string name, std::optional<LayerId> shares) {
  if (network_.layers_.size() == kMaxLayers) refuse("a network has at most " + std::to_string(kMaxLayers) + " layers");
  if (name.empty()) {
    do {
      name = std::string(kind) + "_" + std::to_string(++counts_[std::string(kind)]);
    } while (by_name_.contains(name));
  }
  check_name(name);
  if (by_name_.contains(name)) refuse("there are two layers named '" + name + "'");
  try {
    Layer layer = make_layer(kind, inputs, attributes);
    if (shares) share_weights(layer, *shares);
    network_.layers_.push_back(std::move(layer));
  } catch (const Error& error) {
    refuse("layer '" + name + "' (" + std::string(kind) + "): " + error.what());
  }
  const auto id = static_cast<LayerId>(network_.layers_.size() - 1);
  network_.layers_.back().name = name;
  by_name_.emplace(std::move(name), id);
  return id;
}

Layer NetworkBuilder::make_layer(std::string_view kind, const std::vector<LayerId>& inputs,
                                 const Attributes& attributes) const {
  Layer layer = {.kind = &find_layer_kind(kind), .inputs = inputs};
  check_input_count(*layer.kind, inputs.size());
  for (const LayerId input : inputs) check_id(input);
  layer.attributes = fill_attributes(*layer.kind, attributes);
  const LayerSetting setting = network_.setting(layer);
  layer.output = layer.kind->infer(setting);
  element_count(layer.output.shape);  // for its checks
  if (layer.kind->weights != nullptr) layer.weights = layer.kind->weights(setting);
  layer.parameter_count();
  return layer;
}

void NetworkBuilder::share_weights(Layer& layer, LayerId with) const {
  check_id(with);
  const Layer& owner = network_.layers_[with];
  const auto same = [](const Weight& a, const Weight& b) { return a.name == b.name && a.shape == b.shape; };
  // Functions are replaced layer by layer, and their parameters with them.
  if (layer.kind == &kActivationLayer || layer.weights.empty() || owner.kind != layer.kind ||
      !std::equal(layer.weights.begin(), layer.weights.end(), owner.weights.begin(), owner.weights.end(), same)) {
    refuse("it cannot share the weights of '" + owner.name + "'");
  }
  layer.shares = owner.shares.value_or(with);
}

void NetworkBuilder::check_id(LayerId id) const {
  if (id >= network_.layers_.size()) refuse("there is no layer of number " + std::to_string(id) + " yet");
}

LayerId NetworkBuilder::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return found->second;
  std::vector<std::string_view> names;
  names.reserve(by_name_.size());
  for (const auto& [known, id] : by_name_) names.push_back(known);
  refuse("there is no layer '" + std::string(name) + "' before this one" + did_you_mean(name, names));
}

Network NetworkBuilder::finish(const std::vector<LayerId>& outputs) {
  if (outputs.empty()) refuse("the network '" + network_.name_ + "' has no output");
  std::vector<bool> used(network_.layers_.size());
  for (const LayerId id : outputs) {
    check_id(id);
    if (used[id]) refuse("the layer '" + network_.layers_[id].name + "' is an output twice");
    used[id] = true;
  }
  for (std::size_t id = network_.layers_.size(); id-- > 0;) {
    if (!used[id]) refuse("nothing uses the layer '" + network_.layers_[id].name + "'");
    for (const LayerId input : network_.layers_[id].inputs) used[input] = true;
  }
  network_.outputs_ = outputs;
  by_name_.clear();
  counts_.clear();
  return std::exchange(network_, Network());
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  // Where the last star stood, and what it has swallowed so far: on a mismatch it takes one character more.
  std::size_t at = 0, p = 0, star = std::string_view::npos, swallowed = 0;
  while (at < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      swallowed = at;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[at])) {
      ++p, ++at;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      at = ++swallowed;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(), [](char c) { return c == '*'; });
}

}  // namespace actforge
