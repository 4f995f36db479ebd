#pragma once

#include <string>
#include <vector>

#include "actforge/expr/language/parse.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/model.h"
#include "actforge/torch/fisher/patch_covariance.h"

// Networks with known factors of the Fisher information, and a slow way to look into any.
namespace actforge::problems {

struct FisherProblem {
  std::string name;
  std::string text;
};

inline const std::string kClassify = "g = global_average_pool(a)\nf = flatten(g)\nd = dense(f, units=3)\nreturn d\n";

// A layer of every type that has factors, each before an activation and a dense layer for three classes.
inline std::vector<FisherProblem> fisher_problems() {
  const auto image = [](const std::string& name, const std::string& layer) {
    return FisherProblem{name, "network p\nx = input(shape=4x7x6)\nc = " + layer +
                                   "\na = activation(c, function=tanh(x))\n" + kClassify};
  };
  return {
      image("conv", "conv(x, filters=5, kernel=3, padding=same)"),
      image("conv_strided", "conv(x, filters=5, kernel=3, stride=2, padding=same)"),
      image("conv_uneven", "conv(x, filters=2, kernel=2x3, stride=1x2, padding=1:2x0:1, bias=false)"),
      image("conv_dilated", "conv(x, filters=2, kernel=3, dilation=2, padding=2)"),
      image("conv_grouped", "conv(x, filters=6, kernel=3, groups=2, padding=1)"),
      image("conv_1x1", "conv(x, filters=5, kernel=1)"),
      image("depthwise", "depthwise_conv(x, kernel=3, padding=same)"),
      image("depthwise_strided", "depthwise_conv(x, kernel=3, multiplier=2, padding=same, stride=2)"),
      {"conv1d",
       "network p\nx = input(shape=3x9)\nc = conv(x, filters=4, kernel=3, padding=same)\na = activation(c, "
       "function=swish(x))\n" +
           kClassify},
      {"conv3d",
       "network p\nx = input(shape=2x3x4x5)\nc = conv(x, filters=3, kernel=2x3x2, stride=1x2x1, "
       "padding=same)\na = activation(c, function=elu(x))\n" +
           kClassify},
      {"dense",
       "network p\nx = input(shape=7)\nc = dense(x, units=5)\na = activation(c)\nd = dense(a, units=3)\n"
       "return d\n"},
      {"dense_tokens",
       "network p\nx = input(shape=5x4, channels_last=true)\nc = dense(x, units=6)\na = activation(c, "
       "function=tanh(x))\nm = reduce_mean(a, axes=0)\nd = dense(m, units=3)\nreturn d\n"},
  };
}

// The same weights are used at one place only.
inline std::vector<FisherProblem> one_place_problems() {
  return {
      {"dense",
       "network p\nx = input(shape=6)\na = dense(x, units=5)\nf = activation(a, function=tanh(x))\n"
       "b = dense(f, units=4, bias=false)\ng = activation(b, function=elu(x))\nc = dense(g, units=3)\n"
       "return c\n"},
      {"conv",
       "network p\nx = input(shape=2x3x3)\na = conv(x, filters=4, kernel=3)\nf = activation(a, "
       "function=swish(x))\ng = flatten(f)\nd = dense(g, units=3)\nreturn d\n"},
  };
}

inline constexpr const char* kLinearNetwork =
    "network linear\nx = input(shape=5)\na = dense(x, units=4)\nb = dense(a, units=3)\nc = dense(b, units=2)\n"
    "return c\n";
inline constexpr const char* kSmallDense =
    "network small\nx = input(shape=4)\na = dense(x, units=5)\nf = activation(a, function=tanh(x))\n"
    "b = dense(f, units=3)\nreturn b\n";
inline constexpr const char* kSharedDense =
    "network shared\nx = input(shape=4)\na = dense(x, units=4)\nf = activation(a, function=tanh(x))\n"
    "b = dense(f, units=4, shares=a)\ng = activation(b, function=tanh(x))\nc = dense(g, units=3)\nreturn c\n";

// Inputs for which the two logits of a linear network without biases differ by ±1: random ones, moved along the
// direction v of the input that the difference depends on.
inline torch::Tensor two_sided_inputs(Model& model, std::int64_t samples) {
  const torch::NoGradGuard no_grad;
  const std::int64_t size = model.network().layer(0).output.shape[0];
  const torch::Tensor basis = model.forward({torch::eye(size)}, model.logits(), true);
  const torch::Tensor v = basis.select(1, 0) - basis.select(1, 1);
  torch::Tensor x = torch::randn({samples, size});
  const torch::Tensor target = torch::where(torch::rand({samples}) < 0.5, 1.0, -1.0);
  const torch::Tensor step = (target - x.mv(v)) / v.dot(v);
  return x + torch::outer(step, v);
}

// What one sample shows at one layer: patches [places · groups, 1 + taps · channels] and gradients [places, outputs].
struct LayerPassage {
  torch::Tensor patches, gradients;
  std::int64_t groups = 1;
};

// Patches by cutting them out of the padded image, gradients by asking for them.
inline LayerPassage watch_layer(Model& model, LayerId id, const torch::Tensor& image, std::int64_t label) {
  const Layer& layer = model.network().layer(id);
  torch::Tensor input, output, logits;
  for (ModelWeight& weight : model.weights()) weight.tensor.set_requires_grad(true);
  model.walk({image}, true, 0, [&](LayerId at, torch::Tensor& value) {
    if (at == layer.inputs[0]) input = value.detach();
    if (at == id) output = value;
    if (at == model.logits()) logits = value;
  });
  const torch::Tensor loss = -torch::log_softmax(logits, 1)[0][label];
  torch::Tensor gradient = torch::autograd::grad({loss}, {output})[0];
  const LayerSetting setting = model.network().setting(id);
  LayerPassage passage;
  if (layer.kind == &kDenseLayer) {
    passage.patches = input.reshape({-1, input.size(-1)});
  } else {
    gradient = gradient.movedim(1, -1);
    const Window window = read_window(setting, "kernel");
    passage.groups = layer.kind == &kConvLayer ? setting.integer("groups") : setting.inputs[0].channels();
    const torch::Tensor padded = pad_spatial(input, window.before, window.after);
    std::vector<torch::Tensor> taps;
    std::int64_t count = 1;
    for (const std::int64_t size : window.size) count *= size;
    for (std::int64_t number = 0; number < count; ++number) {
      torch::Tensor seen = padded;
      std::int64_t rest = number;
      for (std::size_t i = window.size.size(); i-- > 0; rest /= window.size[i]) {
        const auto axis = static_cast<std::int64_t>(i) + 2;
        const std::int64_t first = rest % window.size[i] * window.dilation[i];
        const std::int64_t places = gradient.size(axis - 1);
        seen = seen.slice(axis, first, first + (places - 1) * window.stride[i] + 1, window.stride[i]);
      }
      taps.push_back(seen.movedim(1, -1).reshape({-1, input.size(1) / passage.groups}));
    }
    passage.patches = torch::cat(taps, 1);
  }
  if (setting.flag("bias")) {
    passage.patches = torch::cat({torch::ones({passage.patches.size(0), 1}), passage.patches}, 1);
  }
  passage.patches = passage.patches.to(torch::kFloat64);
  passage.gradients = gradient.reshape({-1, gradient.size(-1)}).to(torch::kFloat64);
  return passage;
}

}  // namespace actforge::problems
