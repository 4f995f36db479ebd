#pragma once

#include <torch/torch.h>

#include <vector>

namespace actforge {

struct ConvolutionShape {
  std::vector<std::int64_t> stride, padding, dilation;
  std::int64_t groups = 1;
};

// A convolution whose weights are not learned: for the gradient of its input the kernel is enough, so the graph does
// not keep the input, which LibTorch's own does. `bias` may be undefined.
torch::Tensor fixed_convolution(const torch::Tensor& x, const torch::Tensor& kernel, const torch::Tensor& bias,
                                const ConvolutionShape& shape);

}  // namespace actforge
