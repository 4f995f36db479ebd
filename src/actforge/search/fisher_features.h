#pragma once

#include <memory>

#include "actforge/search/feature_meter.h"
#include "actforge/search/spectrum_conditions.h"
#include "actforge/store/store.h"

namespace actforge {

// Spectra of the Fisher information for the functions of a study, kept in the study. What was measured under the same
// conditions is not measured again.
class FisherFeatures {
 public:
  // Of `options` all but the initialiser, which is the study's. Throws Error where the study does not train.
  FisherFeatures(const StudySettings& settings, const FisherOptions& options)
      : conditions_(spectrum_conditions(settings, options)) {}

  // The conditions, as StudyFeatures::group.
  const std::string& group() const { return conditions_.group; }

  // Of these functions, those without features in the store, each once.
  std::vector<Expr> missing(Store& store, std::span<const Expr> functions) const;

  // Called after each function; to stop, it returns false.
  using Observer = std::function<bool(std::size_t done, const StudyFeatures& features)>;

  // Measures these on all processors and writes each result as soon as it is there, so that little is lost when
  // somebody kills the process.
  void measure(Store& store, std::span<const Expr> functions, const Observer& observer = {}) const;

 private:
  SpectrumConditions conditions_;
};

// For a worker: one function at a time, on the threads that the study gives a worker.
std::unique_ptr<FeatureMeter> make_spectrum_meter(const StudySettings& settings);

}  // namespace actforge
