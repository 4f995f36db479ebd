#include "actforge/init/signal_analysis.h"

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/init/maps/moment_map_table.h"
#include "actforge/init/moments/activation_moments.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

bool is_automatic(const Initialiser* initialiser) {
  return initialiser == nullptr || initialiser->rule != InitRule::kFixed;
}

// Relative variance of a signal's size from which on its mean says little. Narrow networks come near 1.
constexpr double kRunaway = 2;

class Analysis {
 public:
  Analysis(const Network& network, const AnalysisOptions& options)
      : network_(network),
        options_(options),
        profiles_(network.layers().size()),
        spreads_(network.layers().size()),
        last_use_(network.layers().size()) {
    for (LayerId id = 0; id < network.layers().size(); ++id) {
      for (const LayerId input : network.layer(id).inputs) last_use_[input] = id;
    }
  }

  SignalAnalysis run() {
    for (LayerId id = 0; id < network_.layers().size(); ++id) visit(id);
    return std::move(result_);
  }

 private:
  void visit(LayerId id) {
    const Layer& layer = network_.layer(id);
    const MomentMapRow& row = find_moment_map(*layer.kind);
    NodeSignal node;
    for (const LayerId input : layer.inputs) node.inputs.push_back(result_.nodes[input].output);
    MomentQuery question = {.network = network_,
                            .id = id,
                            .setting = network_.setting(id),
                            .inputs = node.inputs,
                            .data = options_.input,
                            .file = &options_.file,
                            .activations = &activations_};
    for (const LayerId input : layer.inputs) {
      question.profiles.push_back(profiles_[input]);
      question.spreads.push_back(spreads_[input]);
    }
    question.centred = is_centred() && takes_functions(layer);
    if (question.centred != is_centred()) question.activations = nullptr;
    set_kernel(row, question, node);
    MomentResult answer = ask(row, question);
    node.output = answer.output;
    node.how = answer.how;
    node.error = answer.error;
    check(layer, node, answer.problem);
    if (question.centred && answer.activation != nullptr) node.shift = -answer.activation->output.mean;
    answer.output = node.output;
    profiles_[id] = next_profile(row, question, answer);
    spreads_[id] = next_spread(row, question, answer);
    node.spread = spreads_[id]->here();
    check_size_variance(layer, node.spread);
    for (const LayerId input : layer.inputs) {
      if (last_use_[input] == id) profiles_[input].reset(), spreads_[input].reset();
    }
    ++result_.coverage[static_cast<std::size_t>(node.how)];
    result_.nodes.push_back(std::move(node));
  }

  bool is_centred() const {
    return options_.initialiser != nullptr && options_.initialiser->rule == InitRule::kAutoInitCentred;
  }

  // Once: what follows is no better.
  void check_size_variance(const Layer& layer, double spread) {
    if (spread_said_ || !(spread >= kRunaway)) return;
    spread_said_ = true;
    result_.warnings.push_back("from layer '" + layer.name +
                               "' on, the size of the signal varies between samples by more than its mean: the "
                               "functions before it amplify differences, "
                               "and no single variance describes what follows");
  }

  // The variance of the layer's kernel, if it has one.
  void set_kernel(const MomentMapRow& row, MomentQuery& question, NodeSignal& node) {
    const Layer& layer = question.layer();
    if (layer.weights.empty()) return;
    const Weight& kernel = layer.weights[0];
    if (kernel.role != WeightRole::kKernel && kernel.role != WeightRole::kEmbedding) return;
    if (layer.shares) {
      // Its weights are set where they are first used; here they do what they do.
      node.weight_deviation = result_.nodes[*layer.shares].weight_deviation;
      question.kernel_variance = node.weight_deviation.value_or(0) * node.weight_deviation.value_or(0);
      return;
    }
    question.kernel_variance = kernel_variance(row, question, kernel);
    node.weight_deviation = std::sqrt(question.kernel_variance);
  }

  double kernel_variance(const MomentMapRow& row, const MomentQuery& question, const Weight& kernel) {
    if (!is_automatic(options_.initialiser)) {
      return kernel.role == WeightRole::kEmbedding ? kTableVariance : options_.initialiser->variance(kernel);
    }
    if (row.gain == nullptr)
      return kernel.role == WeightRole::kEmbedding ? kTableVariance : usual_kernel_variance(kernel);
    const double gain = row.gain(question);
    if (gain > 0 && std::isfinite(gain)) return options_.signal_variance / gain;
    warn(question.layer(), gain == 0 ? "its input is always zero" : "its input has no finite second moment",
         "its weights get the variance 1/fan_in");
    return 1 / static_cast<double>(kernel.fan_in);
  }

  MomentResult ask(const MomentMapRow& row, const MomentQuery& question) {
    const LayerKind* kind = question.layer().kind;
    const std::string_view name = kind == &kOpaqueLayer ? std::string_view(question.setting.word("type")) : kind->name;
    const auto own = options_.maps.find(name);
    if (own != options_.maps.end()) {
      MomentResult answer = own->second(question);
      if (!question.inputs.empty()) answer.output.correlation = question.inputs[0].correlation;
      return answer;
    }
    return row.map(question);
  }

  void check(const Layer& layer, NodeSignal& node, const std::string& problem) {
    if (!std::isfinite(node.output.mean) || !std::isfinite(node.output.variance) || node.output.variance < 0) {
      node.how = MomentMethod::kPassThrough;
      const std::string why = problem.empty() ? "its signal has no finite mean and variance" : problem;
      node.output = node.inputs.empty() ? SignalMoments() : node.inputs[0];
      return warn(layer, why);
    }
    if (node.how == MomentMethod::kPassThrough) warn(layer, problem);
  }

  void warn(const Layer& layer, const std::string& why,
            const std::string& so = "the signal is passed through as if unchanged") {
    const std::string text = "layer '" + layer.name + "' (" + std::string(layer.kind->name) + "): " + why;
    if (options_.strict) throw Error(ErrorCode::kBadInput, text);
    result_.warnings.push_back(text + "; " + so);
  }

  const Network& network_;
  const AnalysisOptions& options_;
  ActivationCache activations_;
  std::vector<ProfilePointer> profiles_;      // of the layers that others still need
  std::vector<SizeVariancePointer> spreads_;  // of the same
  bool spread_said_ = false;
  std::vector<LayerId> last_use_;
  SignalAnalysis result_;
};

}  // namespace

double usual_kernel_variance(const Weight& kernel) { return 2.0 / static_cast<double>(kernel.fan_in + kernel.fan_out); }

SignalAnalysis analyse_signals(const Network& network, const AnalysisOptions& options) {
  if (!(options.signal_variance > 0) || !std::isfinite(options.signal_variance)) {
    throw Error(ErrorCode::kUsage, "the signal variance must be positive");
  }
  if (!std::isfinite(options.input.mean) || !(options.input.variance >= 0) || !std::isfinite(options.input.variance)) {
    throw Error(ErrorCode::kUsage, "the input's mean must be finite, its variance finite and not negative");
  }
  return Analysis(network, options).run();
}

}  // namespace actforge
