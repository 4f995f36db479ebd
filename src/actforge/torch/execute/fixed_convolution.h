#pragma once

#include <vector>

#include "actforge/torch/execute/libtorch.h"

namespace actforge {

struct ConvolutionShape {
  std::vector<std::int64_t> stride, padding, dilation;
  std::int64_t groups = 1;
  torch::Tensor bias = {};  // undefined: none
};

// A convolution whose weights are not learned: for the gradient of its input the kernel is enough, so the graph does
// not keep the input, which LibTorch's own does.
torch::Tensor fixed_convolution(const torch::Tensor& x, const torch::Tensor& kernel, const ConvolutionShape& shape);

}  // namespace actforge
