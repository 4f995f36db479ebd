#include <memory>

#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

int run(const StageFlags& flags) {
  const OpenStudy study = open_stage(flags);
  StageRequest request = {.question = {.stage = rerank_stage(study.settings)}};
  // Baselines take part only if the user asks for them: the ranking is of the study's own functions.
  const std::vector<std::string> baselines =
      flags.baselines.empty() ? std::vector<std::string>() : baselines_of(study.settings, wanted_baselines(flags));
  request.question.functions =
      with_flags(best_functions(*study.store, study.settings, flags.top, baselines), flags, baselines);
  if (request.question.functions.empty()) {
    throw Error(ErrorCode::kBadInput, "no function of this study has a score yet; let it search first");
  }
  return print_stage(study, flags, request);
}

}  // namespace

VerbAction add_search_rerank(CLI::App& verb) {
  const auto flags = std::make_shared<StageFlags>();
  flags->runs = 2;
  flags->top = 10;
  add_stage_flags(verb, *flags);
  return [flags] { return run(*flags); };
}

}  // namespace actforge::tool
