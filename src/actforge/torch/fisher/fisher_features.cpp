#include "actforge/torch/fisher/fisher_features.h"
#include "actforge/base/version.h"

#include <set>

#include "actforge/expr/language/print.h"
#include "actforge/space/function_key.h"
#include "actforge/torch/fisher/fisher.h"

namespace actforge {
namespace {

StudyFeatures features_of(const std::string& group, const Expr& function, const FisherSpectrum& spectrum) {
  StudyFeatures features = {.group = group, .expression = to_call(function)};
  features.key = canonical_key(function);
  features.valid = spectrum.valid;
  features.reason = spectrum.reason;
  if (spectrum.valid) features.values = fisher_features(spectrum);
  features.noise = spectrum.noise;
  features.seconds = spectrum.seconds;
  features.version = software_version();
  return features;
}

class FisherFeatureProbe : public FeatureProbe {
 public:
  explicit FisherFeatureProbe(const SpectrumConditions& conditions)
      : group_(conditions.group), network_(conditions.task.network()), probe_(conditions.spectrum) {}

  void measure(Store& store, const Expr& function) override {
    store.add_features(features_of(group_, function, probe_.measure_all(network_, {&function, 1})[0]));
  }

 private:
  std::string group_;
  Network network_;
  FisherProbe probe_;
};

}  // namespace

FisherFeatures::FisherFeatures(const StudySettings& settings, const FisherOptions& options, const RunContext& run)
    : conditions_(spectrum_conditions(settings, options)) {
  const std::uint64_t seed = conditions_.spectrum.run.seed;
  conditions_.spectrum.run = run;
  conditions_.spectrum.run.seed = seed;
}

std::vector<Expr> FisherFeatures::missing(Store& store, std::span<const Expr> functions) const {
  const std::vector<std::string> keys_there = store.feature_keys(group());
  std::set<std::string> known(keys_there.begin(), keys_there.end());
  std::vector<Expr> wanted;
  for (const Expr& function : functions) {
    if (known.insert(canonical_key(function)).second) wanted.push_back(function);
  }
  return wanted;
}

void FisherFeatures::measure(Store& store, std::span<const Expr> functions, const Observer& observer) const {
  if (functions.empty()) return;
  const FisherProbe probe(conditions_.spectrum);
  std::size_t done = 0;
  probe.measure_all(conditions_.task.network(), functions, [&](std::size_t number, const FisherSpectrum& spectrum) {
    const StudyFeatures features = features_of(group(), functions[number], spectrum);
    store.add_features(features);
    if (observer) observer(++done, features);
  });
}

std::unique_ptr<FeatureProbe> make_spectrum_probe(const StudySettings& settings, const RunContext& run) {
  SpectrumConditions conditions = spectrum_conditions(settings);
  conditions.spectrum.run.threads = settings.threads;
  conditions.spectrum.run.stop = run.stop;
  return std::make_unique<FisherFeatureProbe>(conditions);
}

}  // namespace actforge
