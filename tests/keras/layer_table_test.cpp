#include <gtest/gtest.h>

#include "actforge/keras/layers.h"

namespace actforge {
namespace {

TEST(KerasLayers, EveryClassHasOneRow) {
  for (const auto& family :
       {keras_linear_layers(), keras_norm_layers(), keras_pool_layers(), keras_shape_layers(), keras_merge_layers(),
        keras_recurrent_layers(), keras_attention_layers(), keras_activation_layers(), keras_operation_layers()}) {
    EXPECT_FALSE(family.empty());
    // Of two rows for one class only the first would be found.
    for (const KerasLayerRow& row : family) EXPECT_EQ(find_keras_layer(row.class_name), row.handler) << row.class_name;
  }
  EXPECT_EQ(find_keras_layer("Mystery"), nullptr);
}

}  // namespace
}  // namespace actforge
