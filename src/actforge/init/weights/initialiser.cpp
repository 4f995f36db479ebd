#include "actforge/init/weights/initialiser.h"

#include <vector>

#include "actforge/base/find_named.h"
#include "actforge/init/weights/orthogonal.h"

namespace actforge {
namespace {

// Glorot and Bengio 2010: between what the forward pass (1/fan_in) and the backward pass (1/fan_out) would need.
double glorot(const Weight& w) { return 2.0 / static_cast<double>(w.fan_in + w.fan_out); }
// He et al. 2015: ReLU halves the second moment.
double he(const Weight& w) { return 2.0 / static_cast<double>(w.fan_in); }
// LeCun et al. 1998: the variance of a weighted sum is that of its terms.
double lecun(const Weight& w) { return 1.0 / static_cast<double>(w.fan_in); }
// What torch.nn.Linear and Conv2d do, biases too: U(-1/√fan_in, 1/√fan_in).
double pytorch(const Weight& w) { return 1.0 / (3.0 * static_cast<double>(w.fan_in)); }

double orthogonal(const Weight& w) { return orthogonal_deviation(w) * orthogonal_deviation(w); }

constexpr Initialiser kInitialisers[] = {
    {"autoinit", "the scale that gives every layer's output mean 0 and variance 1", InitRule::kAutoInit,
     "truncated-normal"},
    {"autoinit++", "the same, and activations are shifted to mean 0", InitRule::kAutoInitCentred, "truncated-normal"},
    {"glorot-uniform", "variance 2/(fan_in+fan_out); Keras' default", InitRule::kFixed, "uniform", glorot},
    {"glorot-normal", "the same, normal", InitRule::kFixed, "normal", glorot},
    {"he-uniform", "variance 2/fan_in: for ReLU", InitRule::kFixed, "uniform", he},
    {"he-normal", "the same, normal", InitRule::kFixed, "normal", he},
    {"lecun-uniform", "variance 1/fan_in: for SELU", InitRule::kFixed, "uniform", lecun},
    {"lecun-normal", "the same, normal", InitRule::kFixed, "normal", lecun},
    {"orthogonal", "orthonormal rows or columns (Saxe et al. 2014)", InitRule::kFixed, "orthogonal", orthogonal},
    {"keras", "Keras' default: glorot-uniform", InitRule::kFixed, "uniform", glorot},
    {"pytorch", "PyTorch's default: variance 1/(3 fan_in), biases too", InitRule::kFixed, "uniform", pytorch, true},
    {"lsuv", "orthonormal, then scaled until samples leave each layer with the same variance (Mishkin and Matas 2016)",
     InitRule::kMeasured, "orthogonal"},
};

}  // namespace

std::span<const Initialiser> initialisers() { return kInitialisers; }

const Initialiser& find_initialiser(std::string_view name) { return find_named(kInitialisers, name, "initialiser"); }

}  // namespace actforge
