#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/net/graph/attribute.h"
#include "actforge/net/graph/shape.h"

namespace actforge {

// What an array of a layer's numbers does; initialisers, weight decay and counts go by it.
enum class WeightRole : std::uint8_t {
  kKernel,           // multiplies the signal
  kRecurrentKernel,  // multiplies the state
  kBias,             // is added
  kEmbedding,        // rows that stand for whole numbers or positions
  kGain,             // of a normalisation: starts at one
  kOffset,           // of a normalisation: starts at zero
  kRunningMean,      // of batch normalisation: measured, not learned
  kRunningVariance,
  kParameter,  // of an activation function
  kConstant,   // a number of a file, neither measured nor learned
};
bool is_learned(WeightRole role);
// Kernels, biases and embeddings: what the dissertation counts as a network's weights.
bool is_counted_weight(WeightRole role);

struct Weight {
  std::string name;  // within the layer: "kernel", "bias", "alpha"
  WeightRole role = WeightRole::kKernel;
  Shape shape = {};
  std::int64_t fan_in = 1;   // signals that each output sums
  std::int64_t fan_out = 1;  // outputs that each signal reaches
  double initial = 0;        // of gains, offsets, running statistics and parameters
};

// What kinds of layers have in common, for tables and pictures.
enum class LayerFamily : std::uint8_t {
  kInput,
  kLinear,
  kRecurrent,
  kActivation,
  kNorm,
  kDropout,
  kPool,
  kMerge,
  kShape,
  kOther
};
inline constexpr std::size_t kLayerFamilies = 10;
// "linear", "activation", ...
std::string_view family_name(LayerFamily family);

// How a layer's output follows from its kernel; rules that draw or scale kernels go by it.
enum class KernelUse : std::uint8_t {
  kNone,       // it has none
  kLinear,     // without biases the output is proportional to it
  kNonlinear,  // the layer has functions of its own, such as gates, between the kernel and the output
};

struct LayerKind;

// A layer as its kind sees it: settings, and what comes in.
struct LayerSetting {
  const LayerKind* kind;
  std::span<const AttributeValue> attributes;  // one per row of the kind
  std::vector<Signal> inputs;

  const AttributeValue& value(std::string_view attribute) const;
  bool flag(std::string_view attribute) const { return std::get<bool>(value(attribute)); }
  std::int64_t integer(std::string_view attribute) const { return std::get<std::int64_t>(value(attribute)); }
  double number(std::string_view attribute) const { return std::get<double>(value(attribute)); }
  const std::string& word(std::string_view attribute) const { return std::get<std::string>(value(attribute)); }
  const Shape& extents(std::string_view attribute) const { return std::get<Shape>(value(attribute)); }
  const Expr& function(std::string_view attribute) const { return std::get<Expr>(value(attribute)); }
};

inline constexpr std::size_t kManyInputs = 1 << 16;

// One kind of layer: a row of the table in net/layers/layers.h, defined in the file of its family.
struct LayerKind {
  std::string_view name;
  std::string_view summary;
  LayerFamily family;
  std::size_t least_inputs;
  std::size_t most_inputs;
  std::span<const AttributeRow> attributes;
  // Throws Error (kBadInput) where the inputs do not fit.
  Signal (*infer)(const LayerSetting& layer);
  // Null: it has none.
  std::vector<Weight> (*weights)(const LayerSetting& layer) = nullptr;
  KernelUse kernel = KernelUse::kNone;
};

// The two kinds that graphs themselves know.
extern const LayerKind kInputLayer, kActivationLayer;

std::span<const LayerKind* const> layer_kinds();
// Throws Error (kBadInput) with the nearest name.
const LayerKind& find_layer_kind(std::string_view name);

// The place of an attribute in a kind's table. Throws Error (kBadInput) with the nearest name.
std::size_t attribute_index(const LayerKind& kind, std::string_view attribute);

}  // namespace actforge
