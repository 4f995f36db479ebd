#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "actforge/keras/call.h"

namespace actforge {

// The text of an activation function that Keras knows by name; empty for `linear`, and nothing where it is no function
// of one number. Keras 2 and 3 mean different functions by hard_sigmoid.
std::optional<std::string> keras_function(std::string_view name, bool keras3);

// Adds the activation that a setting such as Dense's `activation` says: a name, an object, or null.
KerasTensor add_keras_activation(KerasCall& call, const KerasTensor& tensor, const KerasJson* activation,
                                 std::string_view suffix);

// The same for the setting of that key, as NAME/activation.
KerasTensor with_keras_activation(KerasCall& call, const KerasTensor& tensor);

// Adds an activation layer with a function given as text.
KerasTensor add_keras_function(KerasCall& call, const KerasTensor& tensor, const std::string& function,
                               std::string_view suffix = {});

}  // namespace actforge
