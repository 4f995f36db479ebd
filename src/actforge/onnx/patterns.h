#pragma once

#include <string>

#include "actforge/onnx/graph.h"

namespace actforge {

// Layer normalisation over the last extent that is written out as seven to nine nodes becomes one node again:
//   d = x - mean(x);  y = d / sqrt(mean(d d) + epsilon);  gain * y + offset
void find_layer_norms(OnnxGraph& graph, const std::string& folder);

}  // namespace actforge
