// Spectra for a map, by LibTorch.
#include <map>

#include "actforge/embed_spectra.h"
#include "actforge/search/fisher_features.h"
#include "actforge/train/training_data.h"

namespace actforge::tool {
namespace {

// Of a network and a data set that the command line names, for this map alone.
class NetworkMeter : public SpectrumMeter {
 public:
  explicit NetworkMeter(const EmbedOptions& options)
      : dataset_(find_dataset(options.data)),
        network_(network_for(options.net, dataset_)),
        probe_(fisher_run(options, dataset_)) {}

  std::vector<SpectrumFeatures> measure(std::span<const Expr> functions, const Observer& observer) override {
    std::vector<SpectrumFeatures> features(functions.size());
    std::size_t done = 0;
    probe_.measure_all(network_, functions, [&](std::size_t number, const FisherSpectrum& spectrum) {
      if (spectrum.valid) features[number] = fisher_features(spectrum);
      return observer(++done, functions.size());
    });
    return features;
  }

 private:
  const Dataset& dataset_;
  Network network_;
  FisherProbe probe_;
};

// Under the conditions of a study, which keeps them.
class StudyMeter : public SpectrumMeter {
 public:
  StudyMeter(const EmbedOptions& options, const OpenStudy& study)
      : study_(study), features_(study.settings, options.fisher) {}

  std::vector<SpectrumFeatures> measure(std::span<const Expr> functions, const Observer& observer) override {
    Store& store = *study_.store;
    const std::vector<Expr> missing = features_.missing(store, functions);
    features_.measure(store, missing,
                      [&](std::size_t done, const StudyFeatures&) { return observer(done, missing.size()); });
    std::map<std::string, SpectrumFeatures> by_key;
    std::int64_t seen = 0;
    for (StudyFeatures& row : store.features(features_.group(), seen)) by_key[row.key] = std::move(row.values);
    const FunctionKeys keys;
    std::vector<SpectrumFeatures> features;
    features.reserve(functions.size());
    for (const Expr& function : functions) features.push_back(by_key[keys(function).canonical]);
    return features;
  }

 private:
  const OpenStudy& study_;
  FisherFeatures features_;
};

bool is_task_of(const OpenStudy* study, const EmbedOptions& options) {
  if (study == nullptr || study->settings.evaluator != "train") return false;
  const StudyTask first = study_tasks(study->settings).front();
  return first.net == options.net && first.data == options.data;
}

}  // namespace

std::unique_ptr<SpectrumMeter> make_spectrum_meter(const EmbedOptions& options, const OpenStudy* study) {
  if (options.measure || is_task_of(study, options)) return std::make_unique<StudyMeter>(options, *study);
  return std::make_unique<NetworkMeter>(options);
}

}  // namespace actforge::tool
