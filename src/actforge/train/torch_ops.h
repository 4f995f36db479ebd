#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <span>

#include "actforge/expr/graph.h"

namespace actforge {

// One operator of the language in LibTorch's own, which know their derivatives.
struct TorchOp {
  Op op;
  torch::Tensor (*unary)(const torch::Tensor& a) = nullptr;
  torch::Tensor (*binary)(const torch::Tensor& a, const torch::Tensor& b) = nullptr;
};

// A row for every operator that is neither a named function, which canonical() expands, nor n-ary, which binary_step()
// does.
std::span<const TorchOp> torch_ops();

struct OperatorsCall {
  const torch::Tensor& x;                     // [N, sample...]
  std::span<const torch::Tensor> parameters;  // of the shapes of Activation::parameter_shape()
  std::int64_t channel_axis;                  // within the sample
};

// The function's value, operator by operator.
torch::Tensor run_operators(const Graph& graph, const OperatorsCall& call);

}  // namespace actforge
