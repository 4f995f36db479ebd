#pragma once

#include "actforge/keras/build.h"

namespace actforge {

// Adds the layers of a whole model and gives its outputs. Throws Error (kBadInput) that names the layer.
std::vector<KerasTensor> add_keras_model(KerasBuild& build, const KerasModel& model);

}  // namespace actforge
