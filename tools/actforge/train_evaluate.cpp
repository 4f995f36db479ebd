#include "actforge/search/fisher_features.h"
#include "actforge/search_options.h"

namespace actforge::tool {

std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings) {
  return settings.evaluator == "train" ? make_train_evaluator(settings) : make_evaluator(settings);
}

std::unique_ptr<FeatureMeter> study_meter(const StudySettings& settings) {
  return wants_spectra(settings) ? make_spectrum_meter(settings) : nullptr;
}

}  // namespace actforge::tool
