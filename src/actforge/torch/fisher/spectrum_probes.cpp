#include "actforge/torch/fisher/spectrum_probes.h"

#include <map>

#include "actforge/torch/fisher/fisher.h"
#include "actforge/torch/fisher/fisher_features.h"

namespace actforge {
namespace {

class NetworkSpectrumProbe : public SpectrumProbe {
 public:
  NetworkSpectrumProbe(const Network& network, const SpectrumTask& task) : network_(network), probe_(task) {}

  MeasuredSpectra measure(std::span<const Expr> functions) override {
    MeasuredSpectra measured;
    for (const FisherSpectrum& spectrum : probe_.measure_all(network_, functions)) {
      measured.features.push_back(spectrum.valid ? fisher_features(spectrum) : SpectrumFeatures{});
    }
    return measured;
  }

 private:
  Network network_;
  FisherProbe probe_;
};

class StudySpectrumProbe : public SpectrumProbe {
 public:
  StudySpectrumProbe(Store& store, FisherFeatures features) : store_(store), features_(std::move(features)) {}

  MeasuredSpectra measure(std::span<const Expr> functions) override {
    features_.measure(features_.missing(functions));
    std::map<std::string, SpectrumFeatures> by_key;
    std::int64_t seen = 0;
    for (StudyFeatures& row : store_.features(features_.group(), seen)) by_key[row.key] = std::move(row.values);
    MeasuredSpectra measured;
    for (const Expr& function : functions) {
      const auto row = by_key.find(canonical_key(function));
      const bool is_there = row != by_key.end();
      measured.features.push_back(is_there ? row->second : SpectrumFeatures{});
      if (!is_there) ++measured.elsewhere;
    }
    return measured;
  }

 private:
  Store& store_;
  FisherFeatures features_;
};

}  // namespace

std::unique_ptr<SpectrumProbe> make_network_spectrum_probe(const Network& network, const SpectrumTask& task) {
  return std::make_unique<NetworkSpectrumProbe>(network, task);
}

std::unique_ptr<SpectrumProbe> make_study_spectrum_probe(const OpenStudy& study, const FisherOptions& options,
                                                         const RunContext& run) {
  return std::make_unique<StudySpectrumProbe>(*study.store, FisherFeatures(study, options, run));
}

}  // namespace actforge
