#include "actforge/init/weight_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/parse.h"
#include "actforge/expr/print.h"
#include "actforge/init/orthogonal.h"
#include "actforge/net/layers.h"

namespace actforge {
namespace {

class Planner {
 public:
  Planner(const PlanOptions& options)
      : initialiser_(options.initialiser != nullptr ? *options.initialiser : find_initialiser("autoinit")),
        distribution_(options.distribution != nullptr ? *options.distribution
                                                      : find_weight_distribution(initialiser_.distribution)),
        normal_(find_weight_distribution("normal")),
        orthogonal_(find_weight_distribution("orthogonal")),
        uniform_(find_weight_distribution("uniform")) {}

  PlannedWeight plan(const Layer& layer, const Weight& weight, const NodeSignal& node) const {
    switch (weight.role) {
      case WeightRole::kKernel:
        // AutoInit leaves the gates of recurrent layers to Glorot's rule.
        if (layer.kind->family == LayerFamily::kRecurrent && initialiser_.variance == nullptr) {
          return {&uniform_, *node.weight_deviation};
        }
        return {&distribution_, *node.weight_deviation};
      case WeightRole::kEmbedding: return {&normal_, *node.weight_deviation};
      case WeightRole::kRecurrentKernel: return {&orthogonal_, orthogonal_deviation(weight)};
      case WeightRole::kBias:
        if (initialiser_.random_bias) return {&distribution_, std::sqrt(initialiser_.variance(weight))};
        return {};
      default: return {.value = weight.initial};
    }
  }

 private:
  const Initialiser& initialiser_;
  const WeightDistribution &distribution_, &normal_, &orthogonal_, &uniform_;
};

void check_size(const Layer& layer, const PlannedWeight& weight) {
  constexpr double kLargest = std::numeric_limits<float>::max() / 16;  // normal numbers have tails
  if (weight.distribution == nullptr || weight.deviation <= kLargest) return;
  throw Error(ErrorCode::kBadInput, "layer '" + layer.name + "': its weights would have a standard deviation of " +
                                        number_text(weight.deviation) + ", and floats end at 3.4e38");
}

}  // namespace

WeightPlan plan_weights(const Network& network, const PlanOptions& options) {
  AnalysisOptions analysis = options.analysis;
  analysis.initialiser = options.initialiser;
  WeightPlan plan = {.weights = {},
                     .analysis = analyse_signals(network, analysis),
                     .signal_variance = analysis.signal_variance,
                     .shifts = {}};
  const Planner planner(options);
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    plan.weights.emplace_back();
    for (const Weight& weight : layer.weights) {
      plan.weights.back().push_back(planner.plan(layer, weight, plan.analysis.nodes[id]));
      check_size(layer, plan.weights.back().back());
    }
    if (plan.analysis.nodes[id].shift != 0) plan.shifts[id] = plan.analysis.nodes[id].shift;
  }
  return plan;
}

void draw_weight(const WeightPlan& plan, const Network& network, LayerId layer, std::size_t weight, std::uint64_t seed,
                 std::span<float> values) {
  const LayerId owner = network.layer(layer).shares.value_or(layer);
  const Weight& shape = network.layer(owner).weights[weight];
  const PlannedWeight& planned = plan.weights[owner][weight];
  if (planned.distribution == nullptr) {
    std::fill(values.begin(), values.end(), static_cast<float>(planned.value));
    return;
  }
  Random random(seed, 0, "init/" + network.layer(owner).name + "/" + shape.name);
  planned.distribution->fill(shape, planned.deviation, random, values);
}

std::vector<float> draw_weight(const WeightPlan& plan, const Network& network, LayerId layer, std::size_t weight,
                               std::uint64_t seed) {
  const LayerId owner = network.layer(layer).shares.value_or(layer);
  std::vector<float> values(static_cast<std::size_t>(element_count(network.layer(owner).weights[weight].shape)));
  draw_weight(plan, network, layer, weight, seed, values);
  return values;
}

void shift_activations(Network& network, const std::map<LayerId, double>& shifts) {
  for (const auto& [id, shift] : shifts) {
    const std::string function = to_call(network.setting(id).function("function"));
    network.set_function(id, parse("add(" + function + "," + number_text(shift) + ")"));
  }
}

Network planned_network(Network network, const WeightPlan& plan) {
  shift_activations(network, plan.shifts);
  return network;
}

}  // namespace actforge
