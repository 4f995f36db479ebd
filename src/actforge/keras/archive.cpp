// A model as Keras 3, and 2 from 2.12 on, save it: a zip archive with the JSON of the model and its weights in HDF5.
#include <algorithm>
#include <cstring>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/base/zip.h"
#include "actforge/keras/file_body.h"
#include "actforge/keras/hdf5.h"
#include "actforge/keras/stored_names.h"

namespace actforge {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

constexpr std::string_view kConfig = "config.json", kWeights = "model.weights.h5";

using Datasets = std::map<std::string, Hdf5Dataset>;

const Hdf5Dataset& find_dataset(const Datasets& datasets, const std::vector<std::string>& names, const Layer& layer,
                                const std::string& weight) {
  const std::string what = "layer '" + layer.name + "': its '" + weight + "' ";
  for (const std::string& name : names) {
    const auto found = datasets.find(name);
    if (found == datasets.end()) continue;
    if (!found->second.problem.empty()) refuse(what + "cannot be set in the archive: " + found->second.problem);
    return found->second;
  }
  refuse(what + "is not where Keras keeps it" + (names.empty() ? "" : " ('" + names[0] + "')"));
}

// The network has an output per row; Keras counts in the opposite order, but keeps the order of extents in space:
// [out, in, height, width] is [height, width, in, out].
std::vector<float> in_keras_order(const std::vector<float>& values, const Shape& shape) {
  if (shape.size() < 2) return values;
  const auto rows = static_cast<std::size_t>(shape[0]), columns = static_cast<std::size_t>(shape[1]);
  const std::size_t places = values.size() / (rows * columns);
  std::vector<float> result(values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t place = 0; place < places; ++place) {
        result[(place * columns + column) * rows + row] = values[(row * columns + column) * places + place];
      }
    }
  }
  return result;
}

// Zeros, but for the bias of an LSTM's forget gate, to which Keras gives ones if it is told to.
std::vector<float> bias_values(const KerasJson& config, std::string_view kind, std::size_t count) {
  std::vector<float> values(count);
  constexpr std::size_t kGates = 4;
  if (kind == "lstm" && KerasConfig(config).flag("unit_forget_bias", true)) {
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(count / kGates), count / kGates, 1.0F);
  }
  return values;
}

// The weights file of an archive, while numbers are put into it.
class WeightsFile {
 public:
  WeightsFile(std::string bytes, const KerasJson& json)
      : bytes_(std::move(bytes)), datasets_(hdf5_datasets(bytes_)), json_(json) {}

  void set(const Layer& layer, const Weight& weight, const KerasWeightEntry& place, const std::vector<float>& values) {
    const KerasJson& config = json_.at(place.config);
    const bool is_bias = weight.role == WeightRole::kBias;
    if (is_bias && !KerasConfig(config).flag("use_bias", true)) return;
    const std::vector<std::string> names = keras_stored_names(json_, layer, place);
    const Hdf5Dataset& dataset = find_dataset(datasets_, names, layer, weight.name);
    const std::size_t count = static_cast<std::size_t>(element_count(dataset.shape));
    put(dataset, is_bias ? bias_values(config, layer.kind->name, count) : in_keras_order(values, weight.shape), layer);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void put(const Hdf5Dataset& dataset, const std::vector<float>& values, const Layer& layer) {
    if (element_count(dataset.shape) != static_cast<std::int64_t>(values.size())) {
      refuse("layer '" + layer.name + "': the archive has weights of shape " + shape_text(dataset.shape) + " where " +
             std::to_string(values.size()) + " numbers are needed");
    }
    std::memcpy(bytes_.data() + dataset.offset, values.data(), values.size() * sizeof(float));
  }

  std::string bytes_;
  Datasets datasets_;
  const KerasJson& json_;
};

}  // namespace

KerasFile KerasFile::parse_archive(std::string archive) {
  constexpr std::size_t kLargestConfig = 64 << 20;
  const std::vector<ZipEntry> entries = zip_entries(archive);
  const ZipEntry* config = find_zip_entry(entries, kConfig);
  if (config == nullptr) refuse("it is a zip archive without a " + std::string(kConfig) + ", so no model of Keras");
  KerasFile file = parse(zip_content(archive, *config, kLargestConfig));
  file.body_->archive = std::move(archive);
  return file;
}

bool KerasFile::is_archive() const { return !body_->archive.empty(); }

std::string KerasFile::archive_with(const NewValues& new_values) const {
  std::string archive = body_->archive;
  const std::vector<ZipEntry> entries = zip_entries(archive);
  const ZipEntry* entry = find_zip_entry(entries, kWeights);
  if (entry == nullptr)
    refuse("the archive has no " + std::string(kWeights) + "; save the model again with its weights");
  if (entry->deflated) refuse("the archive has its weights compressed; Keras saves them as they are");
  WeightsFile weights(zip_content(archive, *entry, archive.size()), body_->json);
  for (LayerId id = 0; id < network().layers().size(); ++id) {
    const Layer& layer = network().layer(id);
    if (layer.shares) continue;
    for (const KerasWeightEntry& place : body_->origins[id].weights) {
      const auto weight = std::ranges::find(layer.weights, place.weight, &Weight::name);
      if (weight == layer.weights.end()) continue;
      const std::vector<float> values = new_values(id, static_cast<std::size_t>(weight - layer.weights.begin()));
      if (!values.empty()) weights.set(layer, *weight, place, values);
    }
  }
  replace_in_zip(archive, *entry, weights.bytes());
  return archive;
}

}  // namespace actforge
