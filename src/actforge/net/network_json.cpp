#include "actforge/net/network_json.h"

#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/print.h"

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
  return {{"name", layer.name},
          {"kind", layer.kind->name},
          {"inputs", std::move(inputs)},
          {"attributes", std::move(attributes)},
          {"output_shape", layer.output.shape},
          {"weights", layer.weight_count()},
          {"parameters", layer.parameter_count()}};
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

void add_layer(NetworkBuilder& builder, const Json& json) {
  constexpr std::string_view kKeys[] = {"name",         "kind",    "inputs",    "attributes",
                                        "output_shape", "weights", "parameters"};
  const std::string name = member(json, "name", Json::value_t::string);
  check_keys(json, kKeys);
  const LayerKind& kind = find_layer_kind(member(json, "kind", Json::value_t::string).get<std::string>());
  std::vector<LayerId> inputs;
  for (const Json& input : member(json, "inputs", Json::value_t::array))
    inputs.push_back(builder.find(string_of(input)));
  Attributes attributes;
  if (json.contains("attributes")) {
    for (const auto& [key, value] : member(json, "attributes", Json::value_t::object).items()) {
      attributes.emplace_back(key, attribute_of(kind.attributes[attribute_index(kind, key)], value));
    }
  }
  const LayerId id = builder.add(kind.name, inputs, attributes, name);
  if (json.contains("output_shape") && shape_of(json["output_shape"]) != builder.signal(id).shape) {
    refuse("layer '" + name + "': the file says that its output is " + shape_text(shape_of(json["output_shape"])) +
           ", but it is " + shape_text(builder.signal(id).shape));
  }
}

}  // namespace

std::string network_json(const Network& network) {
  Json layers = Json::array(), outputs = Json::array();
  for (const Layer& layer : network.layers()) layers.push_back(layer_json(network, layer));
  for (const LayerId id : network.outputs()) outputs.push_back(network.layer(id).name);
  const Json json = {{"name", network.name()},
                     {"layers", std::move(layers)},
                     {"outputs", std::move(outputs)},
                     {"weights", network.weight_count()},
                     {"parameters", network.parameter_count()}};
  return json.dump(1);
}

Network parse_network_json(std::string_view text) {
  // Far deeper than any network is written; the parser itself knows no limit.
  constexpr int kDeepest = 16;
  bool too_deep = false;
  const Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kDeepest;
        return !too_deep;
      },
      false);
  if (json.is_discarded() || too_deep) refuse("it is not valid JSON, or too deeply nested");
  constexpr std::string_view kKeys[] = {"name", "layers", "outputs", "weights", "parameters"};
  NetworkBuilder builder(member(json, "name", Json::value_t::string).get<std::string>());
  check_keys(json, kKeys);
  for (const Json& layer : member(json, "layers", Json::value_t::array)) add_layer(builder, layer);
  std::vector<LayerId> outputs;
  for (const Json& name : member(json, "outputs", Json::value_t::array)) {
    outputs.push_back(builder.find(string_of(name)));
  }
  return builder.finish(outputs);
}

}  // namespace actforge
