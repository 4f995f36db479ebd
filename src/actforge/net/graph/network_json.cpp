#include "actforge/net/graph/network_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/language/print.h"
#include "actforge/net/graph/json_guard.h"

namespace actforge {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

Json attribute_json(const AttributeValue& value) {
  if (const auto* expr = std::get_if<Expr>(&value)) return to_call(*expr);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return std::get<Shape>(value);
}

Json layer_json(const Network& network, const Layer& layer) {
  Json inputs = Json::array(), attributes = Json::object();
  for (const LayerId input : layer.inputs) inputs.push_back(network.layer(input).name);
  for (std::size_t i = 0; i < layer.attributes.size(); ++i) {
    attributes[std::string(layer.kind->attributes[i].name)] = attribute_json(layer.attributes[i]);
  }
  Json json = {{"name", layer.name},
               {"kind", layer.kind->name},
               {"inputs", std::move(inputs)},
               {"attributes", std::move(attributes)},
               {"output_shape", layer.output.shape},
               {"weights", layer.weight_count()},
               {"parameters", layer.parameter_count()}};
  if (layer.shares) json["shares"] = network.layer(*layer.shares).name;
  return json;
}

void check_keys(const Json& object, std::span<const std::string_view> known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse("unknown key '" + key + "'" + did_you_mean(key, known));
    }
  }
}

const Json& member(const Json& object, const char* key, Json::value_t type) {
  if (!object.is_object()) refuse("expected an object");
  const auto found = object.find(key);
  if (found == object.end()) refuse(std::string("'") + key + "' is missing");
  if (found->type() != type) refuse(std::string("'") + key + "' is of the wrong type: " + found->type_name());
  return *found;
}

std::string string_of(const Json& json) {
  if (!json.is_string()) refuse(std::string("expected a name, not ") + json.type_name());
  return json.get<std::string>();
}

std::int64_t integer_of(const Json& json) {
  if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX)) {
    refuse("expected a whole number, not " + json.dump().substr(0, 40));
  }
  return json.get<std::int64_t>();
}

Shape shape_of(const Json& json) {
  if (!json.is_array() || json.size() > kMaxRank) refuse("expected a list of at most eight whole numbers");
  Shape shape;
  for (const Json& extent : json) shape.push_back(integer_of(extent));
  return shape;
}

AttributeValue attribute_of(const AttributeRow& row, const Json& json) {
  try {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return integer_of(json);
    if (json.is_number_float()) return json.get<double>();
    if (json.is_array()) return shape_of(json);
    if (json.is_string()) return parse_attribute(row, json.get<std::string>());
  } catch (const Error& error) {
    refuse("setting '" + std::string(row.name) + "': " + error.what());
  }
  refuse("setting '" + std::string(row.name) + "' is of the wrong type: " + json.type_name());
}

// A layer as the file has it, before anything is inferred.
struct GivenLayer {
  std::string name;
  const LayerKind* kind = nullptr;
  std::vector<LayerId> inputs = {};
  Attributes attributes = {};
  std::optional<Shape> output_shape = {};
  std::optional<LayerId> shares = {};
};

GivenLayer read_layer(const NetworkBuilder& builder, const Json& json) {
  constexpr std::string_view kKeys[] = {"name",         "kind",    "inputs",     "attributes",
                                        "output_shape", "weights", "parameters", "shares"};
  GivenLayer layer = {.name = member(json, "name", Json::value_t::string)};
  if (layer.name.empty()) refuse("'name' is empty");
  check_keys(json, kKeys);
  layer.kind = &find_layer_kind(member(json, "kind", Json::value_t::string).get<std::string>());
  if (json.contains("inputs")) {
    for (const Json& input : member(json, "inputs", Json::value_t::array)) {
      layer.inputs.push_back(builder.find(string_of(input)));
    }
  }
  if (json.contains("attributes")) {
    for (const auto& [key, value] : member(json, "attributes", Json::value_t::object).items()) {
      const AttributeRow& row = layer.kind->attributes[attribute_index(*layer.kind, key)];
      layer.attributes.emplace_back(key, attribute_of(row, value));
    }
  }
  if (json.contains("shares")) layer.shares = builder.find(string_of(json["shares"]));
  if (json.contains("output_shape")) layer.output_shape = shape_of(json["output_shape"]);
  return layer;
}

// For a message: as much as is known of a layer that cannot be read.
std::string layer_place(const Json& json, std::size_t index) {
  const bool named = json.is_object() && json.contains("name") && json["name"].is_string();
  return "layer " + std::to_string(index + 1) + (named ? " '" + json["name"].get<std::string>() + "'" : "") + ": ";
}

void add_layer(NetworkBuilder& builder, const Json& json, std::size_t index) {
  GivenLayer layer;
  try {
    layer = read_layer(builder, json);
  } catch (const Error& error) {
    refuse(layer_place(json, index) + error.what());
  }
  const LayerId id = builder.add(layer.kind->name, layer.inputs, layer.attributes, layer.name, layer.shares);
  const Shape& shape = builder.signal(id).shape;
  if (layer.output_shape && *layer.output_shape != shape) {
    refuse(layer_place(json, index) + "the file says that its output is " + shape_text(*layer.output_shape) +
           ", but it is " + shape_text(shape));
  }
}

}  // namespace

std::string network_json(const Network& network) {
  Json outputs = Json::array();
  for (const LayerId id : network.outputs()) outputs.push_back(network.layer(id).name);
  // One layer a line, for people and for diff.
  std::string text = "{\"name\":" + Json(network.name()).dump() + ",\"layers\":[\n";
  for (const Layer& layer : network.layers()) {
    text += (&layer == network.layers().data() ? " " : ",\n ") + layer_json(network, layer).dump();
  }
  return text + "\n],\"outputs\":" + outputs.dump() + ",\"weights\":" + std::to_string(network.weight_count()) +
         ",\"parameters\":" + std::to_string(network.parameter_count()) + "}";
}

Network parse_network_json(std::string_view text) {
  // As many values as a network_json() of that many layers has.
  const Json json = parse_guarded_json(text, {.values = 40 * kMaxLayers});
  constexpr std::string_view kKeys[] = {"name", "layers", "outputs", "weights", "parameters"};
  NetworkBuilder builder(member(json, "name", Json::value_t::string).get<std::string>());
  check_keys(json, kKeys);
  const Json& layers = member(json, "layers", Json::value_t::array);
  for (std::size_t i = 0; i < layers.size(); ++i) add_layer(builder, layers[i], i);
  std::vector<LayerId> outputs;
  for (const Json& name : member(json, "outputs", Json::value_t::array)) {
    outputs.push_back(builder.find(string_of(name)));
  }
  return builder.finish(outputs);
}

}  // namespace actforge
