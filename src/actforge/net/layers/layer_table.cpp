#include <array>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/base/suggest.h"
#include "actforge/net/graph/layer_kind.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

template <class Rows, class Name>
std::string nearest(std::string_view word, const Rows& rows, Name name) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(name(row));
  return nearest_or_list(word, names);
}

}  // namespace

std::string_view family_name(LayerFamily family) {
  constexpr std::array<std::string_view, kLayerFamilies> kNames = {
      "input", "linear", "recurrent", "activation", "normalisation", "dropout", "pooling", "merge", "shape", "other"};
  return kNames[static_cast<std::size_t>(family)];
}

bool is_learned(WeightRole role) {
  return role != WeightRole::kRunningMean && role != WeightRole::kRunningVariance && role != WeightRole::kConstant;
}

bool is_counted_weight(WeightRole role) {
  return role == WeightRole::kKernel || role == WeightRole::kRecurrentKernel || role == WeightRole::kBias ||
         role == WeightRole::kEmbedding;
}

std::span<const LayerKind* const> layer_kinds() { return kLayerKinds; }

const LayerKind& find_layer_kind(std::string_view name) {
  return find_named(kLayerKinds, name, "kind of layer", ErrorCode::kBadInput);
}

std::size_t attribute_index(const LayerKind& kind, std::string_view attribute) {
  for (std::size_t i = 0; i < kind.attributes.size(); ++i) {
    if (kind.attributes[i].name == attribute) return i;
  }
  throw Error(ErrorCode::kBadInput,
              std::string(kind.name) + " has no setting '" + std::string(attribute) + "'" +
                  (kind.attributes.empty()
                       ? "; it has none"
                       : nearest(attribute, kind.attributes, [](const AttributeRow& row) { return row.name; })));
}

const AttributeValue& LayerSetting::value(std::string_view attribute) const {
  return attributes[attribute_index(*kind, attribute)];
}

}  // namespace actforge
