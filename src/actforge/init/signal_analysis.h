#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "actforge/init/maps/moment_map.h"

namespace actforge {

struct AnalysisOptions {
  const Initialiser* initialiser = nullptr;  // AutoInit, if null
  double signal_variance = 1;                // that AutoInit aims at
  SignalMoments input = {0, 1};              // the data's
  // Maps of the user's own, by kind of layer or by the type of an opaque one; they take precedence.
  std::map<std::string, MomentMap, std::less<>> maps = {};
  FileValues file = {};
  bool strict = false;  // what would be passed through is an error
};

// What happens to the signal in one layer.
struct NodeSignal {
  std::vector<SignalMoments> inputs = {};
  SignalMoments output = {};
  std::optional<double> weight_deviation = {};  // of the kernel
  double shift = 0;                             // AutoInit++ adds it to an activation
  double spread = 0;                            // relative variance of the output's mean square: see size_variance.h
  MomentMethod how = MomentMethod::kExact;
  double error = 0;  // of simulated ones, relative
};

struct SignalAnalysis {
  std::vector<NodeSignal> nodes;          // one per layer
  std::array<std::size_t, 3> coverage{};  // by MomentMethod
  std::vector<std::string> warnings;
};

// Algorithm "AutoInit" of the dissertation: every layer once, each after its inputs, so that neither depth nor width
// costs more than time proportional to it. For other initialisers it reports what they would do. Throws Error
// (kBadInput) that names the layer, if strict.
SignalAnalysis analyse_signals(const Network& network, const AnalysisOptions& options = {});

// Glorot's, of kernels that AutoInit leaves alone: those of recurrent layers.
double usual_kernel_variance(const Weight& kernel);
// Of tables of embeddings and positions, where the initialiser says nothing: 0.02².
inline constexpr double kTableVariance = 0.02 * 0.02;

}  // namespace actforge
