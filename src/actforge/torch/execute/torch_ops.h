#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "actforge/expr/language/graph.h"
#include "actforge/torch/execute/libtorch.h"

namespace actforge {

// One operator of the language in LibTorch's own, which know their derivatives.
struct TorchOp {
  std::string_view name;
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
