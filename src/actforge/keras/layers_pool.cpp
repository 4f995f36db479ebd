// Layers over the spatial extents that have no weights.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/layers.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

bool is_max(const KerasCall& call) { return call.class_name.find("Max") != std::string::npos; }

// 2 for MaxPooling2D, which is what the input has beside the channels.
std::size_t checked_extents(const KerasCall& call) {
  const auto digit = call.class_name.find_first_of("123");
  const std::size_t extents =
      digit == std::string::npos ? call.rank() - 1 : static_cast<std::size_t>(call.class_name[digit] - '0');
  if (call.rank() != extents + 1) {
    refuse("it needs " + std::to_string(extents) + " extent(s) and channels; its input is " + shape_text(call.shape()));
  }
  return extents;
}

KerasTensor spatial_input(const KerasCall& call) {
  return call.channels_first(call.input(), call.channel_axis(call.rank()));
}

// 1, [1, 2] or [[0, 1], [0, 1]], as 0:1x0:1.
std::string margins_text(const KerasCall& call, std::string_view key, std::size_t extents) {
  const KerasJson* json = call.config.find(key);
  if (json == nullptr) return "1";
  const auto number = [&](const KerasJson& value) {
    const std::int64_t whole = keras_integer(value, key);
    if (whole < 0) refuse("'" + std::string(key) + "' should not be negative");
    return std::to_string(whole);
  };
  if (!json->is_array()) return number(*json);
  // ZeroPadding1D and Cropping1D write [before, after].
  if (extents == 1 && json->size() == 2 && !(*json)[0].is_array()) return number((*json)[0]) + ":" + number((*json)[1]);
  if (json->size() != extents) refuse("'" + std::string(key) + "' should have " + std::to_string(extents) + " entries");
  std::string text;
  for (const KerasJson& entry : *json) {
    if (!text.empty()) text += 'x';
    if (entry.is_array() && entry.size() != 2) refuse("'" + std::string(key) + "' should have pairs");
    text += entry.is_array() ? number(entry[0]) + ":" + number(entry[1]) : number(entry);
  }
  return text;
}

KerasTensors keras_pool(KerasCall& call) {
  const std::size_t extents = checked_extents(call);
  const Shape size = call.config.extents("pool_size", extents, 2);
  const Shape stride = call.config.find("strides") == nullptr ? size : call.config.extents("strides", extents);
  return {call.add_same(is_max(call) ? "max_pool" : "average_pool", spatial_input(call),
                        {{"size", short_extents(size)},
                         {"stride", short_extents(stride == size ? Shape{0} : stride)},
                         {"padding", call.config.text("padding", "valid")}})};
}

KerasTensors keras_global_pool(KerasCall& call) {
  checked_extents(call);
  const std::size_t channel = call.channel_axis(call.rank());
  const Signal& signal = call.build.signal(call.input().layer);
  const bool keep = call.config.flag("keepdims", false);
  const bool at_front = call.input().axes == first_axes(call.rank(), channel) && signal.channel_axis == 0;
  if (!is_max(call) && !at_front) {
    const KerasTensor input = call.with_channels(call.input(), channel);
    Shape axes;
    for (std::size_t k = 0; k < call.rank(); ++k) {
      if (k != channel) axes.push_back(static_cast<std::int64_t>(input.axes[k]));
    }
    const LayerId layer = call.add("reduce_mean", {input}, {{"axes", axes}, {"keep", keep}});
    return {{layer, keep ? input.axes : same_axes(1)}};
  }
  const KerasTensor input = spatial_input(call);
  const LayerId layer = call.add(is_max(call) ? "global_max_pool" : "global_average_pool", {input});
  if (!keep) return {{layer, same_axes(1)}};
  Shape shape(call.rank(), 1);
  shape[0] = call.build.signal(layer).shape[0];
  return {
      {call.add("reshape", {{layer, {}}}, {{"shape", shape}, {"channels", std::string("0")}}, "extents"), input.axes}};
}

KerasTensors keras_zero_padding(KerasCall& call) {
  const std::size_t extents = checked_extents(call);
  return {call.add_same("zero_padding", spatial_input(call), {{"padding", margins_text(call, "padding", extents)}})};
}

KerasTensors keras_cropping(KerasCall& call) {
  const std::size_t extents = checked_extents(call);
  return {call.add_same("cropping", spatial_input(call), {{"margin", margins_text(call, "cropping", extents)}})};
}

KerasTensors keras_up_sampling(KerasCall& call) {
  const std::size_t extents = checked_extents(call);
  const Shape size = call.config.extents("size", extents, 2);
  const std::string mode = call.config.text("interpolation", "nearest");
  const bool one_size = std::count(size.begin(), size.end(), size[0]) == static_cast<std::ptrdiff_t>(extents);
  if (one_size && (mode == "nearest" || mode == "bilinear")) {
    return {call.add_same("up_sampling", spatial_input(call),
                          {{"factor", size[0]}, {"mode", std::string(mode == "nearest" ? "nearest" : "linear")}})};
  }
  Shape shape = call.shape();
  const std::size_t channel = call.channel_axis(call.rank());
  std::size_t at = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (k == channel) continue;
    if (size[at] < 1 || size[at] > 1 << 16) refuse("'size' should be from 1 to 65536");
    shape[k] *= size[at++];
  }
  return keras_opaque(call, "makes images larger in a way that is not modelled", shape);
}

constexpr KerasLayerRow kRows[] = {
    {"MaxPooling1D", keras_pool},
    {"MaxPooling2D", keras_pool},
    {"MaxPooling3D", keras_pool},
    {"AveragePooling1D", keras_pool},
    {"AveragePooling2D", keras_pool},
    {"AveragePooling3D", keras_pool},
    {"GlobalMaxPooling1D", keras_global_pool},
    {"GlobalMaxPooling2D", keras_global_pool},
    {"GlobalMaxPooling3D", keras_global_pool},
    {"GlobalAveragePooling1D", keras_global_pool},
    {"GlobalAveragePooling2D", keras_global_pool},
    {"GlobalAveragePooling3D", keras_global_pool},
    {"ZeroPadding1D", keras_zero_padding},
    {"ZeroPadding2D", keras_zero_padding},
    {"ZeroPadding3D", keras_zero_padding},
    {"Cropping1D", keras_cropping},
    {"Cropping2D", keras_cropping},
    {"Cropping3D", keras_cropping},
    {"UpSampling1D", keras_up_sampling},
    {"UpSampling2D", keras_up_sampling},
    {"UpSampling3D", keras_up_sampling},
};

}  // namespace

std::span<const KerasLayerRow> keras_pool_layers() { return kRows; }

}  // namespace actforge
