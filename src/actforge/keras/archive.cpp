// A model as Keras 3, and 2 from 2.12 on, save it: a zip archive with the JSON of the model and its weights in HDF5.
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
std::vector<float> bias_values(const KerasJson& config, const std::string& kind, std::size_t count) {
  std::vector<float> values(count);
  constexpr std::size_t kGates = 4;
  if (kind == "lstm" && KerasConfig(config).flag("unit_forget_bias", true)) {
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(count / kGates), count / kGates, 1.0F);
  }
  return values;
}

void put(std::string& weights, const Hdf5Dataset& dataset, const std::vector<float>& values, const Layer& layer) {
  if (element_count(dataset.shape) != static_cast<std::int64_t>(values.size())) {
    refuse("layer '" + layer.name + "': the archive has weights of shape " + shape_text(dataset.shape) + " where " +
           std::to_string(values.size()) + " numbers are needed");
  }
  std::memcpy(weights.data() + dataset.offset, values.data(), values.size() * sizeof(float));
}

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
  std::string weights = zip_content(archive, *entry, archive.size());
  const Datasets datasets = hdf5_datasets(weights);
  for (LayerId id = 0; id < network().layers().size(); ++id) {
    const Layer& layer = network().layer(id);
    for (const KerasWeightEntry& place : body_->origins[id].weights) {
      for (std::size_t i = 0; !layer.shares && i < layer.weights.size(); ++i) {
        const Weight& weight = layer.weights[i];
        if (weight.name != place.weight) continue;
        const std::vector<float> values = new_values(id, i);
        if (values.empty()) continue;
        const bool is_bias = weight.role == WeightRole::kBias;
        const std::vector<std::string> names = keras_stored_names(body_->json, layer, place);
        if (is_bias && !KerasConfig(body_->json.at(place.config)).flag("use_bias", true)) continue;
        const Hdf5Dataset& dataset = find_dataset(datasets, names, layer, weight.name);
        const auto count = static_cast<std::size_t>(element_count(dataset.shape));
        put(weights, dataset,
            is_bias ? bias_values(body_->json.at(place.config), std::string(layer.kind->name), count)
                    : in_keras_order(values, weight.shape),
            layer);
      }
    }
  }
  replace_in_zip(archive, *entry, weights);
  return archive;
}

}  // namespace actforge
