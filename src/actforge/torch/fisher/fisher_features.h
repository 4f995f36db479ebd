#pragma once

#include <memory>

#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/search/settings/spectrum_conditions.h"
#include "actforge/study/study.h"

namespace actforge {

// What is called for each function, by any thread but one at a time.
struct FeatureObserver {
  std::function<void(std::size_t done, const StudyFeatures& features)> measured = {};
  // Another process is measuring it, so it was left out.
  std::function<void(const Expr& function)> elsewhere = {};
};

// Spectra of the Fisher information for the functions of a study, kept in the study. What was measured under the same
// conditions is not measured again.
class FisherFeatures {
 public:
  // The study outlives this. Of `options` all but the initialiser, and of `run` all but the seed, which are the
  // study's. Throws Error where the study does not train.
  FisherFeatures(const OpenStudy& study, const FisherOptions& options, const RunContext& run = {.threads = 0});

  // The conditions, as StudyFeatures::group.
  const std::string& group() const { return conditions_.group; }

  // Of these functions, those without features in the store, each once.
  std::vector<Expr> missing(std::span<const Expr> functions) const;

  // Measures these with all threads and writes each result as soon as it is there, so that little is lost if the
  // process is killed. Each function is claimed as the workers of a study do it: none is measured twice, and one that
  // kills the process or throws, three times in all, is set aside. Progress is called "spectra". Throws Error
  // (kCancelled) where the run is told to stop, and what measuring a function throws: what was measured until then is
  // in the store.
  void measure(std::span<const Expr> functions, const FeatureObserver& observer = {}) const;

 private:
  const OpenStudy& study_;
  SpectrumConditions conditions_;
};

// For a worker: one function at a time, on the threads that the study gives a worker. Of `run` only stop() is used; the
// seed is the study's.
std::unique_ptr<FeatureProbe> make_spectrum_probe(const StudySettings& settings, const RunContext& run = {});

}  // namespace actforge
