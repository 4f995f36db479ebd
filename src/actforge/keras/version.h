#pragma once

#include "actforge/keras/config.h"

namespace actforge {

// Whether Keras 3 wrote the file, and not Keras 1 or 2.
bool is_keras3_file(const KerasJson& file);

}  // namespace actforge
