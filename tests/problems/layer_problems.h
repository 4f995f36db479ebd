#pragma once

#include <string>
#include <vector>

namespace actforge::problems {

// Small networks that between them have every kind of layer and every way to set it; smooth at random inputs.
struct LayerProblem {
  std::string name;
  std::string lines;  // after the line "network NAME"; ends with "return"
};

inline std::vector<LayerProblem> layer_problems() {
  const std::string image = "x = input(shape=4x6x5)\n", vector = "x = input(shape=7)\n",
                    sequence = "x = input(shape=5x3, channels_last=true)\n";
  const auto on = [](const std::string& input, const std::string& layer) {
    return input + "y = " + layer + "\nreturn y\n";
  };
  return {
      {"conv1d", on("x = input(shape=3x9)\n", "conv(x, filters=4, kernel=3, padding=same)")},
      {"conv3d", on("x = input(shape=2x3x4x5)\n", "conv(x, filters=3, kernel=2x3x2, stride=1x2x1, padding=same)")},
      {"conv_strided", on(image, "conv(x, filters=6, kernel=3, stride=2, padding=same)")},
      {"conv_valid", on(image, "conv(x, filters=2, kernel=2x3, bias=false)")},
      {"conv_explicit", on(image, "conv(x, filters=2, kernel=3, padding=1:2x0:1)")},
      {"conv_dilated", on(image, "conv(x, filters=2, kernel=3, dilation=2, padding=2)")},
      {"conv_grouped", on(image, "conv(x, filters=6, kernel=3, groups=2, padding=1)")},
      {"depthwise", on(image, "depthwise_conv(x, kernel=3, multiplier=2, padding=same, stride=2)")},
      {"dense", on(vector, "dense(x, units=5)")},
      {"dense_tokens", on(sequence, "dense(x, units=5, bias=false)")},
      {"activation", on(image, "activation(x, function=alpha*tanh(beta[0.5,layer]*x) + gamma[2,neuron]*swish(x))")},
      {"activation_tokens", on(sequence, "activation(x, function=alpha*softplus(x))")},
      {"batch_norm", on(image, "batch_norm(x)")},
      {"batch_norm_tokens", on(sequence, "batch_norm(x, epsilon=0.01)")},
      {"layer_norm", on(sequence, "layer_norm(x)")},
      {"layer_norm_image", on(image, "layer_norm(x)")},
      {"group_norm", on(image, "group_norm(x, groups=2)")},
      {"dropout", on(image, "dropout(x, rate=0.3)")},
      {"spatial_dropout", on(image, "spatial_dropout(x, rate=0.3)")},
      {"spatial_dropout_tokens", on(sequence, "spatial_dropout(x, rate=0.3)")},
      {"max_pool", on(image, "max_pool(x)")},
      {"max_pool_same", on(image, "max_pool(x, size=3, stride=2, padding=same)")},
      {"max_pool_3d", on("x = input(shape=2x4x4x4)\n", "max_pool(x, size=3, stride=2, padding=1)")},
      {"average_pool", on(image, "average_pool(x, size=2x3, stride=1)")},
      {"average_pool_same", on(image, "average_pool(x, size=3, stride=2, padding=same)")},
      {"average_pool_padded", on(image, "average_pool(x, size=3, stride=2, padding=1)")},
      {"average_pool_1d", on("x = input(shape=3x9)\n", "average_pool(x, size=4, padding=2:0)")},
      {"global_max_pool", on(image, "global_max_pool(x)")},
      {"global_average_pool", on(image, "global_average_pool(x)")},
      {"add", image + "a = activation(x, function=tanh(x))\ny = add(x, a, x)\nreturn y\n"},
      {"add_broadcast", image + "m = reduce_mean(x, axes=1x2, keep=true)\ny = add(x, m)\nreturn y\n"},
      {"subtract", image + "a = activation(x, function=tanh(x))\ny = subtract(x, a)\nreturn y\n"},
      {"multiply", image + "a = activation(x, function=tanh(x))\ny = multiply(x, a)\nreturn y\n"},
      {"average", image + "a = activation(x, function=tanh(x))\ny = average(x, a, x)\nreturn y\n"},
      {"maximum", image + "a = activation(x, function=0.3*sin(x))\ny = maximum(x, a)\nreturn y\n"},
      {"minimum", image + "a = activation(x, function=0.3*sin(x))\ny = minimum(x, a)\nreturn y\n"},
      {"concatenate", image + "a = conv(x, filters=3, kernel=1)\ny = concatenate(x, a)\nreturn y\n"},
      {"concatenate_axis", image + "a = activation(x, function=sin(x))\ny = concatenate(x, a, axis=2)\nreturn y\n"},
      {"zero_padding", on(image, "zero_padding(x, padding=1x0:2)")},
      {"cropping", on(image, "cropping(x, margin=1:2x1)")},
      {"up_nearest", on(image, "up_sampling(x, factor=2)")},
      {"up_linear", on(image, "up_sampling(x, factor=3, mode=linear)")},
      {"flatten", image + "f = flatten(x)\ny = dense(f, units=3)\nreturn y\n"},
      {"reshape", image + "r = reshape(x, shape=5x-1x4)\ny = dense(r, units=2)\nreturn y\n"},
      {"permute", image + "p = permute(x, order=2x1x0)\ny = dense(p, units=2)\nreturn y\n"},
      {"matmul", sequence +
                     "a = dense(x, units=4)\nb = dense(x, units=4)\n"
                     "s = matmul(a, b, transpose_b=true, scale=0.5)\ny = matmul(s, x, transpose_a=true)\nreturn y\n"},
      {"softmax", on(sequence, "softmax(x)")},
      {"softmax_axis", on(image, "softmax(x, axis=channels)")},
      {"reduce_mean", on(image, "reduce_mean(x, axes=0x2)")},
      {"reduce_sum", on(image, "reduce_sum(x, axes=1, keep=true)")},
      {"embedding", "i = input(shape=4, indices=true)\ny = embedding(i, vocabulary=6, units=3)\nreturn y\n"},
      {"resize", on(image, "resize(x, size=4x7)")},
      {"resize_1d", on("x = input(shape=3x5)\n", "resize(x, size=8)")},
      {"relative_position",
       "x = input(shape=2x6x6, channels_last=true)\n"
       "y = relative_position(x, grid=2x3)\nreturn y\n"},
      {"fixed", on(image, "activation(x, function=sigmoid(x), fixed=true)")},
      {"position", on(sequence, "position_embedding(x)")},
      {"transposed_conv",
       on(image, "transposed_conv(x, filters=6, kernel=3x2, stride=2, groups=2, margin=1x0, extra=1)")},
      {"transposed_conv_1d",
       on("x = input(shape=3x9)\n", "transposed_conv(x, filters=2, kernel=3, dilation=2, bias=false)")},
      {"weighted_sum",
       image + "a = activation(x, function=sin(x))\ny = weighted_sum(x, a, x, initial=0.5)\nreturn y\n"},
      {"slice", on(image, "slice(x, axis=1, begin=2, length=3)")},
      {"constant", image + "c = constant(shape=4x1x1, mean=2)\ny = multiply(x, c)\nreturn y\n"},
      {"shared",
       vector +
           "a = dense(x, units=7)\nt = activation(a, function=tanh(x))\nb = dense(t, units=7, shares=a)\nreturn b\n"},
      {"lstm", on(sequence, "lstm(x, units=4)")},
      {"lstm_sequence", on(sequence, "lstm(x, units=4, sequence=true)")},
      {"gru", on(sequence, "gru(x, units=4, sequence=true)")},
      {"simple_rnn", on(sequence, "simple_rnn(x, units=4)")},
  };
}

}  // namespace actforge::problems
