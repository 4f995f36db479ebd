#include "actforge/study/stage_question.h"

#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/study/comparison_table.h"
#include "actforge/study/finalists.h"

namespace actforge {
namespace {

void check_against(const StageQuestion& question) {
  if (question.against.empty()) return;
  if (std::ranges::find(question.functions, question.against, &ComparedFunction::expression) ==
      question.functions.end()) {
    throw Error(ErrorCode::kUsage, "--against: '" + question.against + "' is not among the functions that were run");
  }
}

// One question while it is answered; functions get their rates on the way.
class Answering {
 public:
  Answering(const OpenStudy& study, const StageQuestion& question, const StageWatch& watch, const RunContext& context)
      : study_(study), question_(question), watch_(watch), context_(context), functions_(question.functions) {
    give_hyperparameters(functions_, *study.store, study.settings);
  }

  StageAnswer answer() {
    StageAnswer answer = {.notes = question_.notes};
    if (question_.sweep) find_rates(*question_.sweep, answer.notes);
    if (question_.stage.test) answer.looks = note_look(question_.stage);
    answer.comparisons = compare_all(question_.stage);
    if (question_.confirm) {
      answer.looks = note_look(*question_.confirm);
      const std::vector<Comparison> again = compare_all(*question_.confirm);
      answer.confirmation = confirmation_text(answer.comparisons.at(0), again.at(0));
      answer.comparisons.insert(answer.comparisons.end(), again.begin(), again.end());
    }
    return answer;
  }

 private:
  StagePlan plan(const Stage& stage) const {
    return {.stage = stage,
            .functions = expressions_of(functions_),
            .repeats = question_.repeats,
            .command = question_.command(stage),
            .workers = study_.settings.workers,
            .attempts = static_cast<int>(study_.settings.attempts),
            .done = watch_.done};
  }

  void find_rates(RateSweep sweep, std::vector<std::string>& notes) {
    const StagePlan run = plan(rates_stage(study_.settings));
    watch_.begins(run.stage);
    constexpr int kWidenings = 3;
    for (int i = 0; i <= kWidenings; ++i) {
      sweep_rates(*study_.store, study_.settings, sweep, run, functions_, context_);
      if (!question_.widen_rates || i == kWidenings || !widen(sweep, functions_)) break;
    }
    const std::size_t edge = at_the_edge(sweep, functions_).size();
    if (edge == 0) return;
    notes.push_back("The best learning rate of " + std::to_string(edge) + " of " + std::to_string(functions_.size()) +
                    " functions is the smallest or the largest that was tried; --rates tries others.");
  }

  std::size_t note_look(const Stage& stage) { return note_look_at_rates(*study_.store, plan(stage), functions_); }

  std::vector<Comparison> compare_all(const Stage& stage) {
    const StagePlan run = plan(stage);
    watch_.begins(stage);
    run_at_rates(*study_.store, run, functions_, context_);
    ComparisonQuestion asked = {.functions = functions_,
                                .against = question_.against,
                                .against_best = question_.against.empty(),
                                .repeats = run.repeats};
    std::vector<Comparison> comparisons;
    const std::vector<Objective> objectives = study_objectives(stage.settings);
    for (asked.objective = 0; asked.objective < objectives.size(); ++asked.objective) {
      if (objectives[asked.objective].measure == "cost") continue;
      comparisons.push_back(compare(*study_.store, stage, asked));
    }
    return comparisons;
  }

  const OpenStudy& study_;
  const StageQuestion& question_;
  const StageWatch& watch_;
  const RunContext& context_;
  std::vector<ComparedFunction> functions_;
};

}  // namespace

StageAnswer answer_stage(const OpenStudy& study, const StageQuestion& question, const StageWatch& watch,
                         const RunContext& context) {
  check_against(question);  // test images are not used in vain
  return Answering(study, question, watch, context).answer();
}

}  // namespace actforge
