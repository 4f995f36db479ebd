#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actforge/keras/file_body.h"

namespace actforge {

// Where the weights file in a .keras archive keeps a weight: `layers/conv2d/vars/0`. Keras calls layers by their
// classes there, numbered in the order of the model, and not by their names. Several where versions of it differ.
std::vector<std::string> keras_stored_names(const KerasJson& file, const Layer& layer, const KerasWeightEntry& place);

// MultiHeadAttention: multi_head_attention.
std::string keras_snake_case(std::string_view class_name);

}  // namespace actforge
