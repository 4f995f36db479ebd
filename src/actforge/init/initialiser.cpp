#include "actforge/init/initialiser.h"

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/init/orthogonal.h"

namespace actforge {
namespace {

void fill_normal(double variance, Random& random, std::span<float> values) {
  const double deviation = std::sqrt(variance);
  for (float& value : values) value = static_cast<float>(deviation * random.normal());
}

// U(-a, a) has variance a²/3.
void fill_uniform(double variance, Random& random, std::span<float> values) {
  const double limit = std::sqrt(3 * variance);
  for (float& value : values) value = static_cast<float>(limit * (2 * random.uniform() - 1));
}

// Glorot and Bengio 2010: between what the forward pass (1/fan_in) and the backward pass (1/fan_out) would need.
double glorot(const Weight& w) { return 2.0 / static_cast<double>(w.fan_in + w.fan_out); }
// He et al. 2015: ReLU halves the second moment.
double he(const Weight& w) { return 2.0 / static_cast<double>(w.fan_in); }
// LeCun et al. 1998: the variance of a weighted sum is that of its terms.
double lecun(const Weight& w) { return 1.0 / static_cast<double>(w.fan_in); }
// What torch.nn.Linear and Conv2d do, biases too: U(-1/√fan_in, 1/√fan_in).
double pytorch(const Weight& w) { return 1.0 / (3.0 * static_cast<double>(w.fan_in)); }

template <double (*variance)(const Weight&)>
void normal(const Weight& weight, Random& random, std::span<float> values) {
  fill_normal(variance(weight), random, values);
}

template <double (*variance)(const Weight&)>
void uniform(const Weight& weight, Random& random, std::span<float> values) {
  fill_uniform(variance(weight), random, values);
}

constexpr Initialiser kInitialisers[] = {
    {"glorot-uniform", "variance 2/(fan_in+fan_out); the default, as in Keras", uniform<glorot>},
    {"glorot-normal", "the same, normal", normal<glorot>},
    {"he-uniform", "variance 2/fan_in: for ReLU", uniform<he>},
    {"he-normal", "the same, normal", normal<he>},
    {"lecun-uniform", "variance 1/fan_in: for SELU", uniform<lecun>},
    {"lecun-normal", "the same, normal", normal<lecun>},
    {"orthogonal", "orthonormal rows or columns (Saxe et al. 2014)", fill_orthogonal},
    {"pytorch", "variance 1/(3 fan_in), biases too: PyTorch's default", uniform<pytorch>, uniform<pytorch>},
};

}  // namespace

std::span<const Initialiser> initialisers() { return kInitialisers; }

const Initialiser& find_initialiser(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Initialiser& row : kInitialisers) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::kUsage, "unknown initialiser '" + std::string(name) + "'" +
                                     (near.empty() ? "; there are: " + name_list(names) : near));
}

std::vector<float> initial_values(const Initialiser& initialiser, const Layer& layer, const Weight& weight,
                                  std::uint64_t seed) {
  constexpr double kEmbeddingVariance = 0.02 * 0.02;
  Random random(seed, 0, "init/" + layer.name + "/" + weight.name);
  std::vector<float> values(static_cast<std::size_t>(element_count(weight.shape)), static_cast<float>(weight.initial));
  switch (weight.role) {
    case WeightRole::kKernel: initialiser.fill(weight, random, values); break;
    case WeightRole::kBias:
      if (initialiser.fill_bias != nullptr) initialiser.fill_bias(weight, random, values);
      break;
    case WeightRole::kRecurrentKernel: fill_orthogonal(weight, random, values); break;
    case WeightRole::kEmbedding: fill_normal(kEmbeddingVariance, random, values); break;
    default: break;
  }
  return values;
}

}  // namespace actforge
