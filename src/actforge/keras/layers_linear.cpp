// Dense layers, convolutions and embeddings.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/activations.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Conv2D, SeparableConv1D, Conv3DTranspose, ...
std::size_t spatial_extents_of(const std::string& class_name) {
  for (const char c : class_name) {
    if (c >= '1' && c <= '3') return static_cast<std::size_t>(c - '0');
  }
  return 2;
}

// The window of a convolution.
struct ConvWindow {
  Shape kernel, stride, dilation;
  std::string padding;
};

void check_positive(const Shape& extents, std::string_view what) {
  for (const std::int64_t extent : extents) {
    if (extent < 1 || extent > 1 << 16) refuse("'" + std::string(what) + "' should be from 1 to 65536");
  }
}

ConvWindow read_conv_window(const KerasCall& call, std::size_t extents) {
  ConvWindow window = {.kernel = call.config.extents("kernel_size", extents),
                       .stride = call.config.extents("strides", extents, 1),
                       .dilation = call.config.extents("dilation_rate", extents, 1),
                       .padding = call.config.text("padding", "valid")};
  check_positive(window.kernel, "kernel_size");
  check_positive(window.stride, "strides");
  check_positive(window.dilation, "dilation_rate");
  if (window.padding == "causal") {
    window.padding.clear();
    for (std::size_t i = 0; i < extents; ++i) {
      window.padding += (i == 0 ? "" : "x") + std::to_string((window.kernel[i] - 1) * window.dilation[i]) + ":0";
    }
  }
  return window;
}

Attributes window_attributes(const ConvWindow& window) {
  return {{"kernel", short_extents(window.kernel)},
          {"stride", short_extents(window.stride)},
          {"dilation", short_extents(window.dilation)},
          {"padding", window.padding}};
}

std::vector<KerasWeightEntry> kernel_place(std::string_view key, std::int64_t last, bool bias) {
  std::vector<KerasWeightEntry> places = {{.weight = "kernel", .key = std::string(key), .last = last}};
  if (bias) places.push_back({.weight = "bias", .key = "bias_initializer"});
  return places;
}

// The input with its channels first, or nothing where it has more extents than the window.
std::optional<KerasTensor> conv_input(const KerasCall& call, std::size_t extents) {
  if (call.rank() > extents + 1) return {};
  if (call.rank() < extents + 1) {
    refuse("it needs " + std::to_string(extents) + " extent(s) and channels; its input is " + shape_text(call.shape()));
  }
  return call.channels_first(call.input(), call.channel_axis(call.rank()));
}

KerasTensors opaque_conv(KerasCall& call) {
  return keras_opaque(call, "acts on more extents than its window has, which is not modelled");
}

KerasTensors keras_dense(KerasCall& call) {
  const KerasTensor input = call.in_keras_order(call.input());
  const std::int64_t units = call.config.integer("units");
  const bool bias = call.config.flag("use_bias", true);
  const KerasTensor output = call.add_same("dense", input, {{"units", units}, {"bias", bias}}, {},
                                           kernel_place("kernel_initializer", units, bias));
  return {with_keras_activation(call, output)};
}

// `make` gives the layer for the input, channels first, and the window; the activation follows.
template <class Make>
KerasTensors convolved(KerasCall& call, Make make) {
  const std::size_t extents = spatial_extents_of(call.class_name);
  const std::optional<KerasTensor> input = conv_input(call, extents);
  if (!input) return opaque_conv(call);
  return {with_keras_activation(call, make(*input, window_attributes(read_conv_window(call, extents))))};
}

KerasTensors keras_conv(KerasCall& call) {
  return convolved(call, [&](const KerasTensor& input, Attributes attributes) {
    const std::int64_t filters = call.config.integer("filters");
    const bool bias = call.config.flag("use_bias", true);
    attributes.emplace_back("filters", filters);
    attributes.emplace_back("groups", call.config.integer("groups", 1));
    attributes.emplace_back("bias", bias);
    return call.add_same("conv", input, attributes, {}, kernel_place("kernel_initializer", filters, bias));
  });
}

KerasTensors keras_depthwise_conv(KerasCall& call) {
  return convolved(call, [&](const KerasTensor& input, Attributes attributes) {
    const std::int64_t multiplier = call.config.integer("depth_multiplier", 1);
    const bool bias = call.config.flag("use_bias", true);
    attributes.emplace_back("multiplier", multiplier);
    attributes.emplace_back("bias", bias);
    return call.add_same("depthwise_conv", input, attributes, {},
                         kernel_place("depthwise_initializer", multiplier, bias));
  });
}

KerasTensors keras_separable_conv(KerasCall& call) {
  return convolved(call, [&](const KerasTensor& input, Attributes attributes) {
    const std::int64_t multiplier = call.config.integer("depth_multiplier", 1),
                       filters = call.config.integer("filters");
    const bool bias = call.config.flag("use_bias", true);
    attributes.emplace_back("multiplier", multiplier);
    attributes.emplace_back("bias", false);
    const KerasTensor depthwise = call.add_same("depthwise_conv", input, attributes, "depthwise",
                                                kernel_place("depthwise_initializer", multiplier, false));
    return call.add_same("conv", depthwise, {{"filters", filters}, {"kernel", std::int64_t{1}}, {"bias", bias}}, {},
                         kernel_place("pointwise_initializer", filters, bias));
  });
}

// How long Keras makes the output (deconv_output_length):
//   valid   in s + max(K - s, 0)        same   in s,      where K = (k - 1) d + 1;
//   with output_padding p: (in - 1) s + K - 2 (K/2 for same, 0 for valid) + p.
// Ours is (in - 1) s + K - 2 margin + extra. An odd number that cannot be an `extra` is cut off afterwards.
KerasTensors keras_transposed_conv(KerasCall& call) {
  const std::size_t extents = spatial_extents_of(call.class_name);
  const std::optional<KerasTensor> input = conv_input(call, extents);
  if (!input) return opaque_conv(call);
  const ConvWindow window = read_conv_window(call, extents);
  const bool same = window.padding == "same", given = call.config.find("output_padding") != nullptr;
  const Shape padding = call.config.extents("output_padding", extents, 0);
  Shape margin(extents), extra(extents), crop(extents);
  for (std::size_t i = 0; i < extents; ++i) {
    const std::int64_t stride = window.stride[i], reach = (window.kernel[i] - 1) * window.dilation[i] + 1;
    std::int64_t difference = same ? stride - reach : std::max<std::int64_t>(stride - reach, 0);
    if (given) difference = padding[i] - (same ? 2 * (reach / 2) : 0);
    if (difference >= 0) {
      extra[i] = difference;
    } else {
      margin[i] = (1 - difference) / 2;
      extra[i] = 2 * margin[i] + difference;
      if (extra[i] >= std::max(stride, window.dilation[i])) {
        --margin[i];
        extra[i] = 0;
        crop[i] = 1;
      }
    }
  }
  const bool bias = call.config.flag("use_bias", true);
  const bool cropped = std::count(crop.begin(), crop.end(), 1) > 0;
  KerasTensor output = call.add_same(
      "transposed_conv", *input,
      {{"filters", call.config.integer("filters")},
       {"kernel", short_extents(window.kernel)},
       {"stride", short_extents(window.stride)},
       {"dilation", short_extents(window.dilation)},
       {"groups", call.config.integer("groups", 1)},
       {"margin", short_extents(margin)},
       {"extra", short_extents(extra)},
       {"bias", bias}},
      cropped ? "whole" : "", kernel_place("kernel_initializer", call.build.signal(input->layer).channels(), bias));
  if (cropped) {
    std::string cut;
    for (const std::int64_t one : crop) cut += (cut.empty() ? "0:" : "x0:") + std::to_string(one);
    output = call.add_same("cropping", output, {{"margin", cut}});
  }
  return {with_keras_activation(call, output)};
}

KerasTensors keras_embedding(KerasCall& call) {
  const std::int64_t vocabulary = call.config.integer("input_dim"), units = call.config.integer("output_dim");
  if (!call.build.signal(call.input().layer).indices) {
    Shape shape = call.shape();
    shape.push_back(units);
    return keras_opaque(call, "looks up numbers that the model computes, which is not modelled", shape);
  }
  // Indices have no channels, so their order is that of Keras.
  const LayerId layer =
      call.add("embedding", {call.in_keras_order(call.input())}, {{"vocabulary", vocabulary}, {"units", units}}, {},
               {{.weight = "table", .key = "embeddings_initializer", .last = units}});
  return {{layer, same_axes(call.build.signal(layer).shape.size())}};
}

constexpr KerasLayerRow kRows[] = {
    {"Dense", keras_dense},
    {"Conv1D", keras_conv},
    {"Conv2D", keras_conv},
    {"Conv3D", keras_conv},
    {"DepthwiseConv1D", keras_depthwise_conv},
    {"DepthwiseConv2D", keras_depthwise_conv},
    {"SeparableConv1D", keras_separable_conv},
    {"SeparableConv2D", keras_separable_conv},
    {"Conv1DTranspose", keras_transposed_conv},
    {"Conv2DTranspose", keras_transposed_conv},
    {"Conv3DTranspose", keras_transposed_conv},
    {"Embedding", keras_embedding},
};

}  // namespace

std::span<const KerasLayerRow> keras_linear_layers() { return kRows; }

}  // namespace actforge
