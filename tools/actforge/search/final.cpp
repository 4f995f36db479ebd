#include <memory>

#include "tools/actforge/search/stage.h"

namespace actforge::tool {
namespace {

int run(const StageFlags& flags) {
  const OpenStudy study = open_stage(flags);
  StageQuestion question = {.stage = final_stage(study.settings)};
  const std::vector<std::string> baselines = baselines_of(flags, study.settings);
  const Finalists best = finalists(*study.store, study.settings, flags.top, baselines);
  if (!best.functions.empty() && !best.is_reranked) {
    question.notes.push_back(
        "The functions were chosen by the search's own scores, which favour lucky runs; 'search rerank' chooses "
        "better.");
  }
  question.functions = with_others(best.functions, flags, baselines);
  if (best.functions.empty() && flags.functions.empty() && flags.top > 0) {
    throw Error(ErrorCode::kBadInput,
                "no function of this study has a score yet; let it search first, or name one with --function");
  }
  return answer_stage(study, flags, question);
}

}  // namespace

VerbAction add_search_final(CLI::App& verb) {
  const auto flags = std::make_shared<StageFlags>();
  flags->runs = 10;
  flags->top = 3;
  add_stage_flags(verb, *flags);
  return [flags] { return run(*flags); };
}

}  // namespace actforge::tool
