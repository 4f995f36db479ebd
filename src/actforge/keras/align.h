#pragma once

#include "actforge/keras/call.h"

namespace actforge {

// The tensors with the axes and channels of the largest of them; those of fewer axes get extents of 1 in front.
KerasTensors aligned_tensors(KerasCall& call, const KerasTensors& tensors);

}  // namespace actforge
