#include "tools/actforge/search/run.h"

#include <fmt/format.h>

#include <memory>

#include "actforge/expr/language/print.h"
#include "actforge/report/svg/text.h"
#include "actforge/search/settings/study_strategy.h"
#include "actforge/study/begin_study.h"
#include "actforge/study/run_study.h"
#include "actforge/study/study_plan.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/search/display.h"
#include "tools/actforge/search/stage.h"
#include "tools/actforge/search/summary.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string file;   // a study file or a study
  std::string study;  // where it is kept
  StudyFlags flags;
  bool json = false, retry = false;
};

// On a terminal one line that changes, elsewhere one for each result; then a few lines about the workers.
class RunDisplay {
 public:
  RunDisplay(Store& store, const StudySettings& settings) : store_(store), settings_(settings) {}

  void watch(RunStudyOptions& options, RunContext& context) {
    options.baseline_done = [this](const StageJob& job, const TrialOutcome& outcome) { baseline_.tell(job, outcome); };
    options.baseline_failed = [this](const Error& why) {
      baseline_.clear();
      warning("actforge: the baseline could not be measured: {}", to_utf8(readable(reason_line(why.what()))));
    };
    context.progress = [this](std::string_view, std::size_t done, std::size_t all) { baseline_.show(done, all); };
    options.watch = [this](const std::vector<std::string>& workers) { show(workers); };
  }

 private:
  void show(const std::vector<std::string>& workers) {
    if (!search_) {
      baseline_.clear();
      search_ = std::make_unique<SearchDisplay>(store_, settings_);
    }
    search_->update(workers);
  }

  Store& store_;
  const StudySettings& settings_;
  StageDisplay baseline_{baseline_stage(settings_)};
  std::unique_ptr<SearchDisplay> search_;
};

// What was decided for the user about how functions are chosen, and why that may be of little use, before anything is
// evaluated.
void tell_strategy(Store& store, const StudySettings& settings) {
  const std::vector<StrategySpan> spans = strategy_spans(store, settings);
  const std::int64_t trials = store.counts().trials, first = spans.back().first;
  const std::string strategy = strategy_text(settings.strategy, settings.options);
  if (first == trials && first > 0) {
    note("{}, after {}; the {} trials so far are its history", strategy, spans[spans.size() - 2].strategy, first);
  } else if (trials == 0 && strategy.ends_with(')')) {
    note("{}", strategy);
  }
  const std::string caution = strategy_caution(settings, nullptr, first);
  if (!caution.empty()) note("actforge: note: {}", caution);
}

void search(Store& store, const StudyPlan& plan) {
  RunStudyOptions options = {.settings = plan.settings,
                             .worker = worker_command(plan.location, plan.settings),
                             .evaluate = evaluate_command(plan.location, plan.settings, "baseline")};
  const Interrupt interrupt;
  RunContext context = interrupt.context();
  tell_strategy(store, plan.settings);
  RunDisplay display(store, plan.settings);
  display.watch(options, context);
  run_study(store, options, context);
}

StudySummary answer(Store& store, const StudyPlan& plan, bool json) {
  const StudySummary summary = summarise(store, plan.settings);
  json ? print_json(summary_json(summary)) : print_summary(summary);
  return summary;
}

}  // namespace

StudyPlan plan_by_flags(const std::string& file, const std::string& location, const StudyFlags& flags,
                        const std::function<void(StudySettings& settings)>& defaults) {
  StudyRequest request = {.file = file, .location = location};
  for (const StudyFlags::Given& flag : flags.given) {
    if (flag.section == "strategy" && flag.name == "strategy") request.strategy = flag.text;
  }
  request.change = [&](StudySettings& settings) {
    if (defaults) defaults(settings);
    apply_flags(settings, flags);
    // Here an error can point into the text.
    if (!settings.baseline.empty()) settings.baseline = to_call(read_expr(settings.baseline));
  };
  return plan_study(request);
}

void run_search(const StudyPlan& plan, bool retry) {
  search(*begin_study(plan.location, plan.settings, {.retry = retry, .may_switch = plan.may_switch}), plan);
}

namespace {

int run(const Options& options) {
  const StudyPlan plan = plan_by_flags(options.file, options.study, options.flags);
  note_cautions(plan.settings);
  const std::unique_ptr<Store> store =
      begin_study(plan.location, plan.settings, {.retry = options.retry, .may_switch = plan.may_switch});
  try {
    search(*store, plan);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    answer(*store, plan, options.json);
    throw Error(ErrorCode::kCancelled, "stopped; 'actforge search resume " + plan.location + "' continues");
  }
  const StudySummary summary = answer(*store, plan, options.json);
  if (summary.counts.completed == 0 && summary.counts.quarantined > 0) {
    throw Error(ErrorCode::kFailed, "the evaluator failed on every trial; 'actforge search show " + plan.location +
                                        " 0' says why, and 'search resume --retry' tries them again");
  }
  return 0;
}

}  // namespace

VerbAction add_search_run(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("FILE", options->file, "A study file (.toml), or a study to continue (.db)");
  verb.add_option("--study", options->study, "Where the study is stored [next to the study file]")
      ->type_name("FILE.db")
      ->common();
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kAll);
  return [options] { return run(*options); };
}

VerbAction add_search_resume(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->file, "The study, such as study.db")->required();
  verb.add_flag("--retry", options->retry, "Also retry trials that were set aside, after the evaluator has been fixed")
      ->common();
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
