#include "actforge/torch/fisher/fisher_features.h"

#include <map>
#include <set>

#include "actforge/base/error.h"
#include "actforge/base/version.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/moments/normal_form.h"
#include "actforge/space/function_key.h"
#include "actforge/study/heartbeat.h"
#include "actforge/study/worker.h"
#include "actforge/torch/fisher/fisher.h"

namespace actforge {
namespace {

FeatureTarget target_of(const std::string& group, const Expr& function) {
  return {.group = group, .expression = to_call(function), .key = canonical_key(function)};
}

StudyFeatures features_of(const std::string& group, const Expr& function, const FisherSpectrum& spectrum) {
  const FeatureTarget target = target_of(group, function);
  StudyFeatures features = {.group = target.group, .expression = target.expression, .key = target.key};
  features.valid = spectrum.valid;
  features.reason = spectrum.reason;
  if (spectrum.valid) features.values = fisher_features(spectrum);
  features.noise = spectrum.noise;
  features.seconds = spectrum.seconds;
  features.version = software_version();
  return features;
}

// Functions in the form in which a network gets them; and why one does not have that form.
struct Shapes {
  std::vector<Expr> functions = {};
  std::vector<std::string> problems = {};  // empty: none
};

Shapes shapes_of(std::span<const Expr> functions, const std::string& form) {
  Shapes shapes;
  for (const Expr& function : functions) {
    shapes.problems.emplace_back();
    try {
      shapes.functions.push_back(in_normal_form(function, form));
    } catch (const Error& error) {
      shapes.functions.push_back(function);
      shapes.problems.back() = error.what();
    }
  }
  return shapes;
}

FisherSpectrum checked(const FisherSpectrum& spectrum, const std::string& problem) {
  return problem.empty() ? spectrum : FisherSpectrum{.valid = false, .reason = problem};
}

class FisherFeatureProbe : public FeatureProbe {
 public:
  explicit FisherFeatureProbe(const SpectrumConditions& conditions)
      : group_(conditions.group),
        form_(conditions.normal_form),
        network_(conditions.task.network()),
        probe_(conditions.spectrum) {}

  void measure(Store& store, const Expr& function) override {
    const Shapes shapes = shapes_of({&function, 1}, form_);
    const FisherSpectrum spectrum = probe_.measure_all(network_, shapes.functions)[0];
    store.add_features(features_of(group_, function, checked(spectrum, shapes.problems[0])));
  }

 private:
  std::string group_, form_;
  Network network_;
  FisherProbe probe_;
};

// The claims of this process, with their heartbeats, by the number of the function.
class ClaimedFunctions {
 public:
  explicit ClaimedFunctions(const OpenStudy& study)
      : study_(study), worker_{.name = worker_name(), .version = software_version(), .lease = study.settings.lease} {}

  // False: there are features, or another process is measuring them.
  bool claim(std::size_t number, const FeatureTarget& target) {
    const std::optional<FeatureClaim> claim = study_.store->claim_features(target, worker_);
    if (claim) held_.try_emplace(number, study_.location, *claim, worker_);
    return claim.has_value();
  }

  // Its features are in the store, which has ended the claim.
  void drop(std::size_t number) { held_.erase(number); }

  void release(std::size_t number, const std::exception& error) {
    const auto held = held_.find(number);
    if (held == held_.end()) return;
    study_.store->release(held->second.claim, worker_, attempt_failure(error));
    held_.erase(held);
  }

 private:
  struct Held {
    Held(const std::string& location, const FeatureClaim& c, const WorkerName& worker)
        : claim(c), heartbeat(location, c, worker) {}
    FeatureClaim claim;
    Heartbeat heartbeat;
  };

  const OpenStudy& study_;
  WorkerName worker_;
  std::map<std::size_t, Held> held_;
};

}  // namespace

FisherFeatures::FisherFeatures(const OpenStudy& study, const FisherOptions& options, const RunContext& run)
    : study_(study), conditions_(spectrum_conditions(study.settings, options)) {
  const std::uint64_t seed = conditions_.spectrum.run.seed;
  conditions_.spectrum.run = run;
  conditions_.spectrum.run.seed = seed;
}

std::vector<Expr> FisherFeatures::missing(std::span<const Expr> functions) const {
  const std::vector<std::string> keys_there = study_.store->feature_keys(group());
  std::set<std::string> known(keys_there.begin(), keys_there.end());
  std::vector<Expr> wanted;
  for (const Expr& function : functions) {
    if (known.insert(canonical_key(function)).second) wanted.push_back(function);
  }
  return wanted;
}

void FisherFeatures::measure(std::span<const Expr> functions, const FeatureObserver& observer) const {
  if (functions.empty()) return;
  Store& store = *study_.store;
  release_dead_workers(store);
  const FisherProbe probe(conditions_.spectrum);
  ClaimedFunctions claimed(study_);
  const Shapes shapes = shapes_of(functions, conditions_.normal_form);
  std::size_t done = 0;
  const auto begin = [&](std::size_t number) {
    const Expr& function = functions[number];
    if (claimed.claim(number, target_of(group(), function))) return true;
    if (observer.elsewhere && !missing({&function, 1}).empty()) observer.elsewhere(function);
    return false;
  };
  const auto end = [&](std::size_t number, const FisherSpectrum& spectrum) {
    const StudyFeatures features = features_of(group(), functions[number], checked(spectrum, shapes.problems[number]));
    store.add_features(features);
    claimed.drop(number);
    if (observer.measured) observer.measured(++done, features);
  };
  const auto failed = [&](std::size_t number, const std::exception& error) { claimed.release(number, error); };
  probe.measure_all(conditions_.task.network(), shapes.functions, {.begin = begin, .end = end, .failed = failed});
}

std::unique_ptr<FeatureProbe> make_spectrum_probe(const StudySettings& settings, const RunContext& run) {
  SpectrumConditions conditions = spectrum_conditions(settings);
  conditions.spectrum.run.threads = settings.threads;
  conditions.spectrum.run.stop = run.stop;
  return std::make_unique<FisherFeatureProbe>(conditions);
}

}  // namespace actforge
