#include <unordered_map>

#include "actforge/keras/layers.h"

namespace actforge {
namespace {

using Handlers = std::unordered_map<std::string_view, KerasHandler>;

Handlers all_handlers() {
  Handlers handlers;
  for (const auto& family :
       {keras_linear_layers(), keras_norm_layers(), keras_pool_layers(), keras_shape_layers(), keras_merge_layers(),
        keras_recurrent_layers(), keras_attention_layers(), keras_activation_layers(), keras_operation_layers()}) {
    for (const KerasLayerRow& row : family) handlers.emplace(row.class_name, row.handler);
  }
  return handlers;
}

}  // namespace

KerasHandler find_keras_layer(std::string_view class_name) {
  static const Handlers kHandlers = all_handlers();
  const auto found = kHandlers.find(class_name);
  return found == kHandlers.end() ? nullptr : found->second;
}

}  // namespace actforge
