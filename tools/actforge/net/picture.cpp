#include "tools/actforge/net/picture.h"

#include <fmt/format.h>

#include "actforge/net/graph/network_text.h"
#include "actforge/net/graph/window.h"
#include "actforge/report/graphs/graph_picture.h"
#include "actforge/report/svg/png.h"
#include "actforge/space/integer.h"

namespace actforge::tool {
namespace {

std::string times_text(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : "×") + std::to_string(extent);
  return text;
}

// "96, 3×3, stride 2, same": values alone where they speak for themselves.
std::string setting_text(const LayerSetting& layer, const AttributeRow& row, const AttributeValue& value) {
  const std::string name(row.name), text = attribute_text(value);
  if (const auto* flag = std::get_if<bool>(&value)) return (*flag ? "" : "no ") + name;
  if (name == "kernel" || name == "size") {
    return times_text(per_extent(layer, name, spatial_extents(layer).size()));
  }
  if (name == "shape") return times_text(std::get<Shape>(value));
  if (name == "units") return text + " units";
  const bool speaks = name == "filters" || name == "function" || text == "same";
  return speaks ? text : name + " " + text;
}

std::string detail_text(const Network& network, LayerId id) {
  const Layer& layer = network.layer(id);
  const LayerSetting setting = network.setting(id);
  std::string kind(layer.kind->name);
  const bool name_says_kind = layer.name.starts_with(kind + "_");
  std::string text;
  for (std::size_t i = 0; i < layer.attributes.size(); ++i) {
    const AttributeRow& row = layer.kind->attributes[i];
    const bool is_size = layer.kind->family == LayerFamily::kInput && row.name == "shape";
    if (is_size || is_plain_default(layer, i)) continue;
    text += (text.empty() ? "" : ", ") + setting_text(setting, row, layer.attributes[i]);
  }
  if (text.empty()) return kind;
  return name_says_kind ? text : kind + " " + text;
}

GraphPicture picture_of(const Network& network) {
  GraphPicture picture = {.title = network.name(),
                          .subtitle = fmt::format("{} layers, {} weights", with_commas(network.layers().size()),
                                                  with_commas(network.weight_count()))};
  for (std::size_t i = 0; i < kLayerFamilies; ++i) {
    picture.families.emplace_back(family_name(static_cast<LayerFamily>(i)));
  }
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    picture.nodes.push_back({.name = layer.name,
                             .size = times_text(layer.output.shape),
                             .detail = detail_text(network, id),
                             .count = layer.weight_count() == 0 ? "" : with_commas(layer.weight_count()),
                             .family = static_cast<std::size_t>(layer.kind->family),
                             .inputs = {layer.inputs.begin(), layer.inputs.end()}});
  }
  return picture;
}

}  // namespace

void save_network_picture(const Network& network, const std::string& path) {
  // Half as many dots where there is much to see: a thousand layers are enough of them.
  constexpr std::size_t kMany = 400;
  save_picture([&] { return to_svg(picture_of(network)); }, path, network.layers().size() > kMany ? 1 : 2);
}

}  // namespace actforge::tool
