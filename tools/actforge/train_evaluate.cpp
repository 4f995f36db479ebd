#include "actforge/search_options.h"

namespace actforge::tool {

std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings) {
  return settings.evaluator == "train" ? make_train_evaluator(settings) : make_evaluator(settings);
}

}  // namespace actforge::tool
