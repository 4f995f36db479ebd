#pragma once

#include <memory>

#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/store/store.h"

namespace actforge {

// Spectra of the Fisher information for the functions of a study, kept in the study. What was measured under the same
// conditions is not measured again.
class FisherFeatures {
 public:
  // Of `options` all but the initialiser, and of `run` all but the seed, which are the study's. Throws Error where the
  // study does not train.
  FisherFeatures(const StudySettings& settings, const FisherOptions& options, const RunContext& run = {.threads = 0});

  // The conditions, as StudyFeatures::group.
  const std::string& group() const { return conditions_.group; }

  // Of these functions, those without features in the store, each once.
  std::vector<Expr> missing(Store& store, std::span<const Expr> functions) const;

  // Called after each function, by any thread but one at a time.
  using Observer = std::function<void(std::size_t done, const StudyFeatures& features)>;

  // Measures these with all threads and writes each result as soon as it is there, so that little is lost if the
  // process is killed. Progress is called "spectra". Throws Error (kCancelled) where the run is told to stop: what was
  // measured until then is in the store.
  void measure(Store& store, std::span<const Expr> functions, const Observer& observer = {}) const;

 private:
  SpectrumConditions conditions_;
};

// For a worker: one function at a time, on the threads that the study gives a worker. Of `run` only stop() is used; the
// seed is the study's.
std::unique_ptr<FeatureProbe> make_spectrum_probe(const StudySettings& settings, const RunContext& run = {});

}  // namespace actforge
