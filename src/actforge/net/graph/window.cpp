#include "actforge/net/graph/window.h"

#include <algorithm>
#include <charconv>

#include "actforge/base/error.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

bool has_attribute(const LayerSetting& layer, std::string_view name) {
  return std::any_of(layer.kind->attributes.begin(), layer.kind->attributes.end(),
                     [&](const AttributeRow& row) { return row.name == name; });
}

std::int64_t parse_zeros(std::string_view text, const std::string& whole) {
  constexpr std::int64_t kMost = 1 << 20;
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size() || value < 0 || value > kMost) {
    refuse("padding takes 'same', 'valid' or numbers of zeros such as 1, 1x2 or 0:1x0:1 (before:after), not '" + whole +
           "'");
  }
  return value;
}

void set_explicit_padding(Window& window, const std::string& text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    parts.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  const std::size_t extents = window.size.size();
  if (parts.size() != 1 && parts.size() != extents) {
    refuse("padding '" + text + "' does not fit " + std::to_string(extents) + " spatial extent(s)");
  }
  for (std::size_t i = 0; i < extents; ++i) {
    const std::string_view part = parts.size() == 1 ? parts[0] : parts[i];
    const std::size_t colon = part.find(':');
    window.before[i] = parse_zeros(part.substr(0, colon), text);
    window.after[i] = colon == std::string_view::npos ? window.before[i] : parse_zeros(part.substr(colon + 1), text);
  }
}

std::int64_t reach(const Window& window, std::size_t i) { return (window.size[i] - 1) * window.dilation[i] + 1; }

}  // namespace

std::vector<std::int64_t> per_extent(const LayerSetting& layer, std::string_view attribute, std::size_t extents) {
  const Shape& given = layer.extents(attribute);
  if (given.size() == extents) return given;
  if (given.size() == 1) return std::vector<std::int64_t>(extents, given[0]);
  refuse(std::string(attribute) + "=" + shape_text(given) + " does not fit " + std::to_string(extents) +
         " spatial extent(s)");
}

void set_padding(Window& window, const std::string& text, const Shape& spatial) {
  window.before.assign(spatial.size(), 0);
  window.after.assign(spatial.size(), 0);
  if (text == "valid") return;
  if (text != "same") return set_explicit_padding(window, text);
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const std::int64_t places = (spatial[i] + window.stride[i] - 1) / window.stride[i];
    const std::int64_t zeros =
        std::max<std::int64_t>(0, (places - 1) * window.stride[i] + reach(window, i) - spatial[i]);
    window.before[i] = zeros / 2;
    window.after[i] = zeros - zeros / 2;
  }
}

Window read_window(const LayerSetting& layer, std::string_view size_attribute) {
  const Shape spatial = spatial_extents(layer);
  Window window;
  window.size = per_extent(layer, size_attribute, spatial.size());
  window.stride = per_extent(layer, "stride", spatial.size());
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    if (window.stride[i] == 0) window.stride[i] = window.size[i];  // the default of a pooling
  }
  window.dilation = has_attribute(layer, "dilation") ? per_extent(layer, "dilation", spatial.size())
                                                     : std::vector<std::int64_t>(spatial.size(), 1);
  set_padding(window, layer.word("padding"), spatial);
  return window;
}

Shape window_positions(const Window& window, const Shape& spatial) {
  Shape places(spatial.size());
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const std::int64_t room = spatial[i] + window.before[i] + window.after[i] - reach(window, i);
    if (room < 0) {
      refuse("a window of " + std::to_string(reach(window, i)) + " does not fit into " + std::to_string(spatial[i]) +
             (window.before[i] + window.after[i] > 0 ? " and its padding" : ""));
    }
    places[i] = room / window.stride[i] + 1;
  }
  return places;
}

Shape spatial_extents(const LayerSetting& layer) {
  const Signal& input = layer.inputs[0];
  if (input.shape.size() < 2 || input.shape.size() > 4 || input.channel_axis != 0 || input.indices) {
    refuse("it needs channels and one to three spatial extents, such as 3x32x32; its input is " +
           shape_text(input.shape) + (input.channel_axis != 0 ? " with the channels last" : ""));
  }
  return Shape(input.shape.begin() + 1, input.shape.end());
}

}  // namespace actforge
