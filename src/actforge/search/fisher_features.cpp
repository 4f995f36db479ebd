#include "actforge/search/fisher_features.h"

#include <set>

#include "actforge/expr/graph.h"
#include "actforge/expr/print.h"
#include "actforge/search/study.h"

namespace actforge {
namespace {

StudyFeatures features_of(const std::string& group, const Expr& function, const FisherSpectrum& spectrum) {
  StudyFeatures features = {.group = group, .expression = to_call(function)};
  features.key = canonical(function).hash().hex();
  features.valid = spectrum.valid;
  features.reason = spectrum.reason;
  if (spectrum.valid) features.values = fisher_features(spectrum);
  features.noise = spectrum.noise;
  features.seconds = spectrum.seconds;
  features.version = software_version();
  return features;
}

class SpectrumMeter : public FeatureMeter {
 public:
  explicit SpectrumMeter(const SpectrumConditions& conditions)
      : group_(conditions.group), network_(conditions.task.network()), probe_(conditions.run) {}

  void measure(Store& store, const Expr& function) override {
    store.add_features(features_of(group_, function, spectrum_of(function)));
  }

 private:
  // A function that breaks the measurement has no spectrum: asked for it again and again, a study would never go on.
  FisherSpectrum spectrum_of(const Expr& function) const {
    try {
      return probe_.measure_all(network_, {&function, 1})[0];
    } catch (const std::exception& error) {
      FisherSpectrum spectrum;
      spectrum.valid = false;
      spectrum.reason = error.what();
      return spectrum;
    }
  }

  std::string group_;
  Network network_;
  FisherProbe probe_;
};

}  // namespace

std::vector<Expr> FisherFeatures::missing(Store& store, std::span<const Expr> functions) const {
  const std::vector<std::string> keys_there = store.feature_keys(group());
  std::set<std::string> known(keys_there.begin(), keys_there.end());
  const FunctionKeys keys;
  std::vector<Expr> wanted;
  for (const Expr& function : functions) {
    if (known.insert(keys(function).canonical).second) wanted.push_back(function);
  }
  return wanted;
}

void FisherFeatures::measure(Store& store, std::span<const Expr> functions, const Observer& observer) const {
  if (functions.empty()) return;
  const FisherProbe probe(conditions_.run);
  std::size_t done = 0;
  probe.measure_all(conditions_.task.network(), functions, [&](std::size_t number, const FisherSpectrum& spectrum) {
    const StudyFeatures features = features_of(group(), functions[number], spectrum);
    store.add_features(features);
    return !observer || observer(++done, features);
  });
}

std::unique_ptr<FeatureMeter> make_spectrum_meter(const StudySettings& settings) {
  SpectrumConditions conditions = spectrum_conditions(settings);
  conditions.run.threads = settings.threads;
  return std::make_unique<SpectrumMeter>(conditions);
}

}  // namespace actforge
