// Adds a number to the output of a Keras layer: a Rescaling of scale 1 after it.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "actforge/base/error.h"
#include "actforge/keras/file_body.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// The layers that are added to one model: by the layer they follow and which call of it.
using ModelShifts = std::map<std::pair<const KerasLayer*, std::size_t>, KerasShift>;

class ModelEditor {
 public:
  ModelEditor(KerasJson& file, const KerasModel& model, const ModelShifts& shifts)
      : model_(model), shifts_(shifts), json_(file.at(model.place)) {
    for (const KerasLayer& layer : model.layers) names_.insert(layer.name);
  }

  void edit() {
    KerasJson& config = json_.at("config");
    KerasJson& layers = config.is_array() ? config : config.at("layers");
    for (const auto& [call, shift] : shifts_) {
      new_names_[call.first->name].emplace_back(call.second, new_name(call.first->name));
    }
    if (!model_.sequential) rewire(layers, config);
    KerasJson all = KerasJson::array();
    // A sequential model may have been given an input that is not in the file.
    const std::size_t hidden = model_.layers.size() - layers.size();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const KerasLayer& layer = model_.layers[i + hidden];
      all.push_back(std::move(layers[i]));
      const auto added = new_names_.find(layer.name);
      if (added == new_names_.end()) continue;
      for (const auto& [node, name] : added->second) all.push_back(rescaling(shifts_.at({&layer, node}), name));
    }
    layers = std::move(all);
  }

 private:
  std::string new_name(const std::string& after) {
    std::string name = after + "_shift";
    for (std::size_t i = 2; !names_.insert(name).second; ++i) name = after + "_shift_" + std::to_string(i);
    return name;
  }

  KerasJson rescaling(const KerasShift& shift, const std::string& name) const {
    KerasJson layer = KerasJson::object();
    if (model_.keras3) layer["module"] = "keras.layers";
    layer["class_name"] = "Rescaling";
    layer["config"] = {
        {"name", name}, {"trainable", true}, {"dtype", "float32"}, {"scale", 1.0}, {"offset", shift.offset}};
    if (model_.keras3) layer["registered_name"] = nullptr;
    if (model_.sequential) return layer;
    layer["name"] = name;
    const KerasJson history = KerasJson::array({shift.after.layer->name, shift.after.node, 0});
    if (!model_.keras3) {
      KerasJson ref = history;
      ref.push_back(KerasJson::object());
      layer["inbound_nodes"] = KerasJson::array({KerasJson::array({ref})});
      return layer;
    }
    KerasJson shape = KerasJson::array({nullptr});
    for (const std::int64_t extent : shift.after.shape) shape.push_back(extent);
    const KerasJson tensor = {{"class_name", "__keras_tensor__"},
                              {"config", {{"shape", shape}, {"dtype", "float32"}, {"keras_history", history}}}};
    layer["inbound_nodes"] =
        KerasJson::array({{{"args", KerasJson::array({tensor})}, {"kwargs", KerasJson::object()}}});
    return layer;
  }

  // What took the layer's output takes the new layer's. The names of layers are those of the file.
  void rewire(KerasJson& layers, KerasJson& config) const {
    for (KerasJson& layer : layers) {
      if (layer.contains("inbound_nodes")) rewire(layer["inbound_nodes"]);
    }
    rewire(config["output_layers"]);
  }

  void rewire(KerasJson& json) const {
    if (json.is_array() && json.size() >= 3 && json[0].is_string() && json[1].is_number_integer() && json[2] == 0) {
      const auto found = new_names_.find(json[0].get<std::string>());
      if (found != new_names_.end()) {
        for (const auto& [node, name] : found->second) {
          if (json[1] != node) continue;
          json[0] = name;
          json[1] = 0;
          break;
        }
      }
    }
    if (!json.is_structured()) return;
    for (KerasJson& part : json) rewire(part);
  }

  const KerasModel& model_;
  const ModelShifts& shifts_;
  KerasJson& json_;
  std::set<std::string> names_;
  std::unordered_map<std::string, std::vector<std::pair<std::size_t, std::string>>> new_names_;
};

std::size_t depth_of(const KerasModel& model) {
  const std::string place = model.place.to_string();
  return static_cast<std::size_t>(std::count(place.begin(), place.end(), '/'));
}

}  // namespace

void insert_keras_shifts(KerasJson& file, const std::vector<KerasShift>& shifts) {
  std::map<const KerasModel*, ModelShifts> models;
  for (const KerasShift& shift : shifts) {
    const auto [known, is_new] =
        models[shift.after.model].emplace(std::make_pair(shift.after.layer, shift.after.node), shift);
    if (!is_new && known->second.offset != shift.offset) {
      refuse("layer '" + shift.after.layer->name +
             "' is in a model that is used several times, so that one number must be added to all its outputs");
    }
  }
  // Models within others first: layers that are added change the places of those after them.
  std::vector<std::pair<std::size_t, const KerasModel*>> order;
  order.reserve(models.size());
  for (const auto& [model, its_shifts] : models) order.emplace_back(depth_of(*model), model);
  std::sort(order.rbegin(), order.rend());
  for (const auto& [depth, model] : order) ModelEditor(file, *model, models.at(model)).edit();
}

}  // namespace actforge
