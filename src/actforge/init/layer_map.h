#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "actforge/init/initialiser.h"
#include "actforge/init/signal_moments.h"

namespace actforge {

struct ActivationMoments;
struct MixedResponse;
struct SignalSpread;

// How the moments of a layer's output were found.
enum class MapHow : std::uint8_t { kExact, kSimulated, kPassThrough };
// "exact", "simulated", "pass_through"
std::string_view how_name(MapHow how);

// The numbers that a file has for a weight; empty where there are none.
using FileValues = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;

// What a map is asked: where is the layer, what reaches it, how are its kernels drawn.
struct MapQuestion {
  const Network& network;
  LayerId id;
  LayerSetting setting;
  std::span<const SignalMoments> inputs;
  std::vector<std::shared_ptr<const std::vector<float>>> profiles = {};  // of the inputs: see spatial_profile.h
  std::vector<std::shared_ptr<const SignalSpread>> spreads = {};         // of the inputs: see signal_spread.h
  bool centred = false;                                                  // AutoInit++: activations get mean zero
  double kernel_variance = 0;                                            // of layers with a kernel
  SignalMoments data = {};                                               // of the network's input
  const FileValues* file = nullptr;

  const Layer& layer() const { return network.layer(id); }
};

struct MapAnswer {
  SignalMoments output = {};
  MapHow how = MapHow::kExact;
  // Of an activation.
  std::shared_ptr<const ActivationMoments> activation = {};
  std::shared_ptr<const MixedResponse> mixed = {};
  double error = 0;          // simulated: standard error of the variance, relative
  std::string problem = {};  // why it is no more than passed through
};

// From the moments of a layer's inputs to those of its output. As in the chapter "AutoInit" inputs are normal and
// independent of each other; beyond it, numbers of one channel may be correlated, and the sizes of signals may vary.
using LayerMap = std::function<MapAnswer(const MapQuestion& question)>;

// A row of the table in layer_map_table.cpp.
struct LayerMapRow {
  const LayerKind* kind;
  MapAnswer (*map)(const MapQuestion& question);
};
// Null where the kind has none.
const LayerMapRow* find_layer_map(const LayerKind* kind);

// For layers whose kernel AutoInit scales: the sum of squares that a kernel of unit variance would make of the inputs,
// Σ E x² over the numbers that an output number sums, averaged over the places of the output. Zero for other kinds.
double kernel_gain(const MapQuestion& question);

// By file.
// maps_basic.cpp
MapAnswer map_input(const MapQuestion& q);
MapAnswer map_constant(const MapQuestion& q);
MapAnswer map_opaque(const MapQuestion& q);
MapAnswer map_activation(const MapQuestion& q);
MapAnswer map_activation(const MapQuestion& q, std::shared_ptr<const ActivationMoments> moments);
MapAnswer map_dropout(const MapQuestion& q);
MapAnswer map_norm(const MapQuestion& q);
// maps_linear.cpp
MapAnswer map_kernel(const MapQuestion& q);
MapAnswer map_embedding(const MapQuestion& q);
MapAnswer map_position(const MapQuestion& q);
// maps_pool.cpp
MapAnswer map_max_pool(const MapQuestion& q);
MapAnswer map_average_pool(const MapQuestion& q);
MapAnswer map_global_max(const MapQuestion& q);
MapAnswer map_global_average(const MapQuestion& q);
MapAnswer map_reduce_mean(const MapQuestion& q);
MapAnswer map_reduce_sum(const MapQuestion& q);
// maps_merge.cpp
MapAnswer map_add(const MapQuestion& q);
MapAnswer map_subtract(const MapQuestion& q);
MapAnswer map_average(const MapQuestion& q);
MapAnswer map_weighted_sum(const MapQuestion& q);
MapAnswer map_multiply(const MapQuestion& q);
MapAnswer map_maximum(const MapQuestion& q);
MapAnswer map_minimum(const MapQuestion& q);
MapAnswer map_concatenate(const MapQuestion& q);
MapAnswer map_matmul(const MapQuestion& q);
MapAnswer map_softmax(const MapQuestion& q);
// maps_shape.cpp
MapAnswer map_same(const MapQuestion& q);
MapAnswer map_zero_padding(const MapQuestion& q);
MapAnswer map_up_sampling(const MapQuestion& q);
// maps_recurrent.cpp
MapAnswer map_recurrent(const MapQuestion& q);

}  // namespace actforge
