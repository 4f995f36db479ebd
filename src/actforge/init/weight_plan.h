#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "actforge/init/signal_analysis.h"

namespace actforge {

// How one weight is initialised: drawn, or the same number everywhere.
struct PlannedWeight {
  const WeightDistribution* distribution = nullptr;  // null: `value` everywhere
  double deviation = 0;
  double value = 0;
};

// How all weights of a network are initialised.
struct WeightPlan {
  std::vector<std::vector<PlannedWeight>> weights;  // as Layer::weights of each layer
  SignalAnalysis analysis;
  double signal_variance = 1;        // of the outputs of layers with kernels
  std::map<LayerId, double> shifts;  // AutoInit++: what is added to the activations
};

struct PlanOptions {
  const Initialiser* initialiser = nullptr;          // AutoInit, if null
  const WeightDistribution* distribution = nullptr;  // of kernels; null: the initialiser's own
  AnalysisOptions analysis = {};
};

// Recurrent kernels are orthogonal, tables of embeddings N(0, 0.02²) unless AutoInit scales them; gains, offsets and
// parameters of activations have their own beginnings. Throws Error.
WeightPlan plan_weights(const Network& network, const PlanOptions& options);

// The numbers a weight begins with. They depend on the seed, the names of layer and weight, and the plan for this
// weight, so a layer that is added changes no other. A layer that shares another one's weights gets those.
std::vector<float> draw_weight(const WeightPlan& plan, const Network& network, LayerId layer, std::size_t weight,
                               std::uint64_t seed);
// The same into memory that is there already, as many numbers as the weight has. To draw them takes less time than the
// system needs for new memory.
void draw_weight(const WeightPlan& plan, const Network& network, LayerId layer, std::size_t weight, std::uint64_t seed,
                 std::span<float> values);

// Puts f + shift in the place of f.
void shift_activations(Network& network, const std::map<LayerId, double>& shifts);
// The network that the plan is for: with AutoInit++ its activations are shifted.
Network planned_network(Network network, const WeightPlan& plan);

}  // namespace actforge
