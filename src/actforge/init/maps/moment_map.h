#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "actforge/init/moments/signal_moments.h"
#include "actforge/init/weights/initialiser.h"

namespace actforge {

struct ActivationMoments;
struct MixedResponse;
struct SizeVariance;

// How the moments of a layer's output were found.
enum class MomentMethod : std::uint8_t { kExact, kSimulated, kPassThrough };
// "exact", "simulated", "pass_through"
std::string_view how_name(MomentMethod how);

// The numbers that a file has for a weight; empty where there are none.
using FileValues = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;

// By function, mean and variance: a network has few functions and, but for residual ones, few different signals.
using ActivationCache = std::map<std::tuple<std::string, double, double>, std::shared_ptr<const ActivationMoments>>;

// What a map is asked: where is the layer, what reaches it, how are its kernels drawn.
struct MomentQuery {
  const Network& network;
  LayerId id;
  LayerSetting setting;
  std::span<const SignalMoments> inputs;
  std::vector<std::shared_ptr<const std::vector<float>>> profiles = {};  // of the inputs: see spatial_profile.h
  std::vector<std::shared_ptr<const SizeVariance>> spreads = {};         // of the inputs: see size_variance.h
  bool centred = false;                                                  // AutoInit++: activations get mean zero
  double kernel_variance = 0;                                            // of layers with a kernel
  SignalMoments data = {};                                               // of the network's input
  const FileValues* file = nullptr;
  ActivationCache* activations = nullptr;  // of questions that agree on `centred`; null: none is kept

  const Layer& layer() const { return network.layer(id); }
};

struct MomentResult {
  SignalMoments output = {};
  MomentMethod how = MomentMethod::kExact;
  // Of an activation.
  std::shared_ptr<const ActivationMoments> activation = {};
  std::shared_ptr<const MixedResponse> mixed = {};
  double error = 0;          // simulated: standard error of the variance, relative
  std::string problem = {};  // why it is no more than passed through
};

// From the moments of a layer's inputs to those of its output. As in the chapter "AutoInit" inputs are normal and
// independent of each other; beyond it, numbers of one channel may be correlated, and the sizes of signals may vary.
using MomentMap = std::function<MomentResult(const MomentQuery& question)>;

}  // namespace actforge
