#include "actforge/init/weight_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/expr/language/expr.h"
#include "actforge/init/weights/orthogonal.h"
#include "actforge/net/layers/layers.h"

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
        if (layer.kind->kernel == KernelUse::kNonlinear && initialiser_.variance == nullptr) {
          return {&uniform_, kernel_deviation(node)};
        }
        return {&distribution_, kernel_deviation(node)};
      case WeightRole::kEmbedding: return {&normal_, kernel_deviation(node)};
      case WeightRole::kRecurrentKernel: return {&orthogonal_, orthogonal_deviation(weight)};
      case WeightRole::kBias:
        if (initialiser_.random_bias) return {&distribution_, std::sqrt(initialiser_.variance(weight))};
        return {};
      default: return {.value = weight.initial};
    }
  }

 private:
  // The analysis knows it for every layer with a kernel or a table.
  static double kernel_deviation(const NodeSignal& node) {
    if (!node.weight_deviation) throw Error(ErrorCode::kFailed, "the analysis left out the weights of a layer");
    return *node.weight_deviation;
  }

  const Initialiser& initialiser_;
  const WeightDistribution &distribution_, &normal_, &orthogonal_, &uniform_;
};

void check_size(const Layer& layer, const PlannedWeight& weight) {
  constexpr double kLargest = std::numeric_limits<float>::max() / 16;  // normal numbers have tails
  if (weight.distribution == nullptr || weight.deviation <= kLargest) return;
  throw Error(ErrorCode::kBadInput, "layer '" + layer.name + "': its weights would have a standard deviation of " +
                                        number_text(weight.deviation) + ", and floats end at 3.4e38");
}

Expr shifted(const Expr& function, double shift) {
  ExprBuilder sum;
  const std::array<NodeId, 2> terms = {sum.insert(function), sum.constant(shift)};
  sum.apply(Op::kAdd, terms);
  return sum.finish();
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
    network.set_function(id, shifted(network.setting(id).function("function"), shift));
  }
}

Network planned_network(Network network, const WeightPlan& plan) {
  shift_activations(network, plan.shifts);
  return network;
}

}  // namespace actforge
