// Sets the initialisers of a Keras file.
#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/hash.h"
#include "actforge/keras/file_body.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// The new content of one entry of the file. Several weights can share it: the kernels of an attention, or a layer that
// is called twice.
struct Entry {
  std::string distribution;
  double square_sum = 0;  // of their deviations, for the root of the mean square
  std::size_t weights = 0;
  std::int64_t rows = 1, columns = 1;  // of the weight in Keras, for an orthogonal one
  std::uint64_t seed = 0;
  bool several = false;  // different weights of one layer
  std::string weight;    // the layer's and the weight's name

  double deviation() const { return std::sqrt(square_sum / static_cast<double>(weights)); }
};

// By the settings' place in the file and the key in them.
using Entries = std::map<std::pair<std::string, std::string>, Entry>;

const KerasWeightEntry& find_place(const Layer& layer, const KerasOrigin& origin, const Weight& weight) {
  for (const KerasWeightEntry& place : origin.weights) {
    if (place.weight == weight.name) return place;
  }
  refuse("layer '" + layer.name + "': its '" + weight.name + "' has no initializer in the file");
}

void add_entry(Entries& entries, const Network& network, const std::vector<KerasOrigin>& origins,
               const KerasInitialiser& given) {
  if (given.layer >= network.layers().size()) refuse("there is no layer of number " + std::to_string(given.layer));
  const Layer& layer = network.layer(given.layer);
  if (given.weight >= layer.weights.size()) {
    refuse("layer '" + layer.name + "' has no weight of number " + std::to_string(given.weight));
  }
  if (!std::isfinite(given.deviation) || given.deviation < 0)
    refuse("layer '" + layer.name + "': a deviation is a number from 0");
  const Weight& weight = layer.weights[given.weight];
  const KerasWeightEntry& place = find_place(layer, origins[given.layer], weight);
  Entry& entry = entries[{place.config.to_string(), place.key}];
  const LayerId owner = layer.shares.value_or(given.layer);
  const std::string name = network.layer(owner).name + "/" + weight.name;
  if (entry.weights == 0) {
    entry.distribution = given.distribution;
    entry.seed = given.seed;
    entry.weight = name;
    entry.columns = place.last;
    entry.rows = element_count(weight.shape) / place.last;
  }
  if (entry.distribution != given.distribution) {
    refuse("layer '" + layer.name + "': its weights have one initializer in the file, and cannot be drawn from both '" +
           entry.distribution + "' and '" + given.distribution + "'");
  }
  if (entry.weight != name) entry.several = true;
  entry.square_sum += given.deviation * given.deviation;
  ++entry.weights;
}

// Different for each weight, from 0 to 2^31-1. Keras clones the initializer of an attention for each of its kernels,
// and a seed would make them equal: without one they differ.
KerasJson seed_of(const Entry& entry) {
  if (entry.several) return nullptr;
  return Hasher().add(entry.seed).add(entry.weight).finish().low >> 33;
}

KerasJson initializer_json(const Entry& entry, bool keras3) {
  // Of a normal distribution cut at two deviations, as a share of the uncut one's deviation.
  constexpr double kCut = 0.87962566103423978;
  const double deviation = entry.deviation();
  std::string class_name;
  KerasJson config = KerasJson::object();
  if (entry.distribution == "truncated-normal") {
    class_name = "TruncatedNormal";
    config = {{"mean", 0.0}, {"stddev", deviation / kCut}};
  } else if (entry.distribution == "normal") {
    class_name = "RandomNormal";
    config = {{"mean", 0.0}, {"stddev", deviation}};
  } else if (entry.distribution == "uniform") {
    class_name = "RandomUniform";
    config = {{"minval", -std::sqrt(3.0) * deviation}, {"maxval", std::sqrt(3.0) * deviation}};
  } else if (entry.distribution == "orthogonal") {
    class_name = "Orthogonal";
    config = {{"gain", deviation * std::sqrt(static_cast<double>(std::max(entry.rows, entry.columns)))}};
  } else {
    refuse("unknown distribution '" + entry.distribution +
           "'; there are: truncated-normal, normal, uniform, orthogonal");
  }
  config["seed"] = seed_of(entry);
  if (!keras3) return {{"class_name", class_name}, {"config", config}};
  return {
      {"module", "keras.initializers"}, {"class_name", class_name}, {"config", config}, {"registered_name", nullptr}};
}

KerasJson zeros_json(bool keras3) {
  if (!keras3) return {{"class_name", "Zeros"}, {"config", KerasJson::object()}};
  return {{"module", "keras.initializers"},
          {"class_name", "Zeros"},
          {"config", KerasJson::object()},
          {"registered_name", nullptr}};
}

}  // namespace

std::string KerasFile::with_initialisers(std::span<const KerasInitialiser> initialisers,
                                         const std::map<LayerId, double>& shifts) const {
  Entries entries;
  for (const KerasInitialiser& given : initialisers) add_entry(entries, body_->network, body_->origins, given);
  KerasJson file = body_->json;
  const bool keras3 = body_->model.keras3;
  for (const auto& [place, entry] : entries) {
    KerasJson& config = file.at(KerasJson::json_pointer(place.first));
    config[place.second] = initializer_json(entry, keras3);
    const bool bias_given = entries.contains({place.first, "bias_initializer"});
    if (config.contains("bias_initializer") && !bias_given) config["bias_initializer"] = zeros_json(keras3);
  }
  std::vector<KerasShift> inserted;
  for (const auto& [id, shift] : shifts) {
    if (id >= body_->network.layers().size()) refuse("there is no layer of number " + std::to_string(id));
    if (!std::isfinite(shift)) refuse("layer '" + body_->network.layer(id).name + "': a shift is a finite number");
    if (shift == 0) continue;
    const std::vector<KerasOutputEntry>& outputs = body_->origins[id].outputs;
    if (outputs.empty()) {
      refuse("layer '" + body_->network.layer(id).name +
             "': nothing can be added to it in the file, as it is in the middle of a layer of Keras");
    }
    inserted.push_back({outputs[0], shift});
  }
  insert_keras_shifts(file, inserted);
  return file.dump();
}

}  // namespace actforge
