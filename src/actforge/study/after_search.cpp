#include "actforge/study/after_search.h"

#include <utility>

#include "actforge/base/error.h"
#include "actforge/search/settings/train_tasks.h"
#include "actforge/study/finalists.h"
#include "actforge/study/rivals.h"

namespace actforge {
namespace {

StageQuestion question_of(const Stage& stage, const AfterSearch& wanted, const std::vector<ComparedFunction>& best,
                          const std::vector<std::string>& baselines) {
  return {.stage = stage,
          .functions = with_others(best, wanted.functions, baselines),
          .repeats = wanted.repeats,
          .against = wanted.against};
}

RateSweep sweep_of(const FinalTest& wanted, const StudySettings& settings) {
  return {.rates = wanted.rates.empty() ? usual_rates(settings) : wanted.rates, .runs = wanted.sweep_runs};
}

}  // namespace

StageQuestion rerank_question(const OpenStudy& study, const AfterSearch& wanted) {
  std::vector<std::string> baselines;
  if (!wanted.baselines.empty()) baselines = baselines_of(study.settings, wanted.baselines);
  const auto best = best_functions(*study.store, study.settings, wanted.count, baselines);
  StageQuestion question = question_of(rerank_stage(study.settings), wanted, best, baselines);
  if (question.functions.empty()) {
    throw Error(ErrorCode::kBadInput, "no function of this study has a score yet; let it search first");
  }
  return question;
}

StageQuestion final_question(const OpenStudy& study, const FinalTest& wanted) {
  const Stage stage = final_stage(study.settings);
  std::optional<Stage> confirm;
  if (wanted.confirm || !wanted.confirm_net.empty()) {
    confirm = confirm_stage(study.settings, wanted.confirm_net);
    train_tasks(confirm->settings);  // for its error, before anything is trained
  }
  const std::vector<std::string> baselines = rivals_of(study.settings, wanted.baselines);
  const Finalists best = finalists(*study.store, study.settings, wanted.count, baselines);
  if (best.functions.empty() && wanted.functions.empty() && wanted.count > 0) {
    throw Error(ErrorCode::kBadInput,
                "no function of this study has a score yet; let it search first, or name one with --function");
  }
  StageQuestion question = question_of(stage, wanted, best.functions, baselines);
  if (wanted.sweep || !wanted.rates.empty()) question.sweep = sweep_of(wanted, study.settings);
  question.widen_rates = wanted.rates.empty();
  question.confirm = std::move(confirm);
  if (!best.functions.empty() && !best.is_reranked) {
    question.notes.push_back(
        "The functions were chosen by the search's own scores, which favour lucky runs; 'search rerank' chooses "
        "better.");
  }
  return question;
}

StageQuestion transfer_question(const OpenStudy& study, const AfterSearch& wanted, const TransferTask& task) {
  const Stage stage = transfer_stage(study.settings, task);
  train_tasks(stage.settings);  // for its error
  const std::vector<std::string> baselines = baselines_of(study.settings, wanted.baselines);
  return question_of(stage, wanted, finalists(*study.store, study.settings, wanted.count, baselines).functions,
                     baselines);
}

}  // namespace actforge
