#pragma once

#include <string>

#include "actforge/keras/file.h"
#include "tests/net/net_helpers.h"

namespace actforge {

// A list of layers as a sequential model; `shape` is that of its input with the batch: [null,8].
inline std::string sequential(const std::string& shape, const std::string& layers, bool keras3) {
  const std::string input = keras3 ? R"({"module":"keras.layers","class_name":"InputLayer","config":{"batch_shape":)"
                                   : R"({"class_name":"InputLayer","config":{"batch_input_shape":)";
  return std::string("{") + (keras3 ? R"("module":"keras",)" : "") +
         R"("class_name":"Sequential","config":{"name":"model","layers":[)" + input + shape + R"(,"name":"in"}},)" +
         layers + "]}}";
}

// One layer in a sequential model.
inline std::string one_layer(const std::string& shape, const std::string& class_name, const std::string& settings,
                             bool keras3 = true) {
  const std::string comma = settings.empty() ? "" : ",";
  return sequential(shape, R"({"class_name":")" + class_name + R"(","config":{"name":"it")" + comma + settings + "}}",
                    keras3);
}

// The lines of the network's text after the input, without `return`, for layers that are long to describe otherwise.
inline std::string lines_of(const std::string& json) {
  const KerasFile file = KerasFile::parse(json);
  std::string text = network_text(file.network());
  text.erase(0, text.find('\n') + 1);
  text.erase(0, text.find('\n') + 1);
  return text.substr(0, text.rfind("return"));
}

// In either spelling: a call of a layer in a functional model, with the tensors that it takes as name, node, tensor.
inline std::string tensor(const std::string& name, int node, int output, bool keras3) {
  const std::string history = "\"" + name + "\"," + std::to_string(node) + "," + std::to_string(output);
  return keras3 ? R"({"class_name":"__keras_tensor__","config":{"keras_history":[)" + history + "]}}"
                : "[" + history + ",{}]";
}

inline std::string call(const std::string& tensors, bool keras3) {
  return keras3 ? R"({"args":[[)" + tensors + R"(]],"kwargs":{}})" : "[" + tensors + "]";
}

inline std::string layer(const std::string& class_name, const std::string& name, const std::string& settings,
                         const std::string& calls) {
  return R"({"class_name":")" + class_name + R"(","name":")" + name + R"(","config":{"name":")" + name + "\"" +
         (settings.empty() ? "" : "," + settings) + R"(},"inbound_nodes":[)" + calls + "]}";
}

inline std::string input(const std::string& name, const std::string& shape) {
  return layer("InputLayer", name, R"("batch_shape":)" + shape, "");
}

// Ends are lists such as [["a",0,0]].
inline std::string functional(const std::string& layers, const std::string& inputs, const std::string& outputs,
                              bool keras3, const std::string& rest = "") {
  return std::string("{") + (keras3 ? R"("module":"keras.src.models.functional",)" : "") +
         R"("class_name":"Functional","config":{"name":"model","layers":[)" + layers + R"(],"input_layers":)" + inputs +
         R"(,"output_layers":)" + outputs + "}" + rest + "}";
}

}  // namespace actforge
