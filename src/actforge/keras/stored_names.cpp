#include "actforge/keras/stored_names.h"

#include <cctype>

#include "actforge/base/error.h"

namespace actforge {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

std::string class_of(const KerasJson& layer) { return layer.value("class_name", std::string()); }

// The name of a layer among those of its model: its class, with a number from the second of a class on.
std::string name_among(const KerasJson& layers, std::size_t index) {
  const std::string name = keras_snake_case(class_of(layers.at(index)));
  std::size_t before = 0;
  for (std::size_t i = 0; i < index; ++i) before += keras_snake_case(class_of(layers.at(i))) == name ? 1 : 0;
  return before == 0 ? name : name + "_" + std::to_string(before);
}

bool is_recurrent(std::string_view class_name) {
  return class_name == "SimpleRNN" || class_name == "LSTM" || class_name == "GRU";
}

// The layers that a layer of this class holds, in the file and in the network.
std::string wrapped_name(std::string_view wrapper, std::string_view key, const Layer& layer) {
  if (wrapper != "Bidirectional") return std::string(key);
  const bool is_backward = key == "backward_layer" || layer.name.find("/backward") != std::string::npos;
  return is_backward ? "backward_layer" : "forward_layer";
}

struct Part {
  std::string_view network, keras;
};
constexpr Part kAttentionParts[] = {
    {"query", "query_dense"}, {"key", "key_dense"}, {"value", "value_dense"}, {"attention_output", "output_dense"}};

// The number of a weight in the order in which a layer makes them.
int number_of(std::string_view class_name, const KerasWeightEntry& place) {
  const bool has_two_kernels = is_recurrent(class_name) || class_name.starts_with("Separable");
  if (place.key == "bias_initializer") return has_two_kernels ? 2 : 1;
  return place.key == "pointwise_initializer" || place.key == "recurrent_initializer" ? 1 : 0;
}

}  // namespace

// A capital letter begins a word where a small one, or a word of its own, follows or goes before.
std::string keras_snake_case(std::string_view class_name) {
  std::string name;
  for (std::size_t i = 0; i < class_name.size(); ++i) {
    const char c = class_name[i];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') continue;
    const bool after_small = i > 0 && is_lower(class_name[i - 1]);
    const bool before_small = i > 0 && i + 1 < class_name.size() && is_lower(class_name[i + 1]);
    if (is_upper(c) && (after_small || before_small)) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

std::vector<std::string> keras_stored_names(const KerasJson& file, const Layer& layer, const KerasWeightEntry& place) {
  std::vector<std::string> tokens;
  for (KerasJson::json_pointer at = place.config; !at.empty(); at.pop_back()) tokens.insert(tokens.begin(), at.back());
  const KerasJson* object = &file;
  std::string path;
  // From `config/layers/3` to the next, or to `config/layer`, until the settings of the layer itself.
  for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
    const KerasJson& config = object->at("config");
    std::string name;
    if (tokens[i + 1] == "layers" && i + 2 < tokens.size()) {
      const std::size_t index = std::stoul(tokens[i + 2]);
      name = "layers/" + name_among(config.at("layers"), index);
      object = &config.at("layers").at(index);
      ++i;
    } else {
      name = wrapped_name(class_of(*object), tokens[i + 1], layer);
      object = &config.at(tokens[i + 1]);
    }
    path += (path.empty() ? "" : "/") + name;
  }
  const std::string class_name = class_of(*object);
  const std::string number = "vars/" + std::to_string(number_of(class_name, place));
  if (is_recurrent(class_name)) return {path + "/cell/" + number};
  if (class_name != "MultiHeadAttention") return {path + "/" + number};
  for (const Part& part : kAttentionParts) {
    if (!layer.name.ends_with("/" + std::string(part.network))) continue;
    const std::string keras(part.keras);
    return {path + "/" + keras + "/" + number, path + "/_" + keras + "/" + number};  // Keras 3, and 2
  }
  return {};
}

}  // namespace actforge
