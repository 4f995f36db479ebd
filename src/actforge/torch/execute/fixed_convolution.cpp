#include "actforge/torch/execute/fixed_convolution.h"

namespace actforge {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class FixedConvolution : public torch::autograd::Function<FixedConvolution> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& kernel,
                        const ConvolutionShape& shape) {
    context->save_for_backward({kernel});
    context->saved_data["sizes"] = x.sizes().vec();
    context->saved_data["strides"] = x.strides().vec();
    context->saved_data["stride"] = shape.stride;
    context->saved_data["padding"] = shape.padding;
    context->saved_data["dilation"] = shape.dilation;
    context->saved_data["groups"] = shape.groups;
    const std::vector<std::int64_t> none(shape.stride.size(), 0);
    return torch::convolution(x, kernel, shape.bias.defined() ? c10::optional<Tensor>(shape.bias) : c10::nullopt,
                              shape.stride, shape.padding, shape.dilation, /*transposed=*/false, none, shape.groups);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const Tensor kernel = context->get_saved_variables()[0];
    const auto list = [&](const char* name) { return context->saved_data[name].toIntVector(); };
    // Its numbers are not looked at, only its shape: memory that is never touched takes no room.
    const Tensor x = torch::empty_strided(list("sizes"), list("strides"), gradients[0].options());
    const std::vector<std::int64_t> none(list("stride").size(), 0);
    const Tensor gradient = std::get<0>(at::convolution_backward(
        gradients[0], x, kernel, c10::nullopt, list("stride"), list("padding"), list("dilation"), /*transposed=*/false,
        none, context->saved_data["groups"].toInt(), {true, false, false}));
    return {gradient, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor fixed_convolution(const Tensor& x, const Tensor& kernel, const ConvolutionShape& shape) {
  return FixedConvolution::apply(x, kernel, shape);
}

}  // namespace actforge
