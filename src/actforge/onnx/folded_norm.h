#pragma once

#include <string>

#include "actforge/onnx/write.h"

namespace actforge {

// Exporters fold batch normalisation into the convolutions before it: its scale becomes part of the kernel, its shift
// the bias. What is left is another network, and initial weights for it are none for the one that is trained. A
// sentence about it where a file looks like that; empty where it does not.
std::string folded_norm_warning(const OnnxContent& content);

}  // namespace actforge
