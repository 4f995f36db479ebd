#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "actforge/expr/language/print.h"
#include "actforge/report/svg/text.h"
#include "actforge/search/settings/study_file.h"
#include "actforge/search/settings/study_inputs.h"
#include "actforge/study/begin_study.h"
#include "actforge/study/run_study.h"
#include "tools/actforge/common/interrupt.h"
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

bool is_toml(const std::string& path) { return std::filesystem::path(path).extension() == ".toml"; }

// The settings and the place of a study, as command line and files have them together.
struct Plan {
  std::string place;
  StudySettings settings;
  bool exists = false;
};

Plan read_plan(const Options& options) {
  Plan plan;
  const bool from_file = is_toml(options.file);
  if (!options.file.empty() && !from_file && !options.study.empty()) {
    throw Error(ErrorCode::kUsage,
                "two studies were given, '" + options.file + "' and --study '" + options.study + "'");
  }
  plan.place = !options.study.empty() ? options.study
               : from_file            ? std::filesystem::path(options.file).replace_extension(".db").string()
                                      : options.file;
  if (plan.place.empty()) {
    throw Error(ErrorCode::kUsage, "where should the study be stored? Give a study file, or --study FILE.db");
  }
  plan.exists = store_exists(plan.place);
  if (!options.file.empty() && !from_file && !plan.exists) {
    throw Error(ErrorCode::kBadInput, "there is no study '" + options.file +
                                          "'; to start one, write a study file with 'actforge search new'");
  }
  // Paths in a study file are relative to it; those in flags are relative to the current folder.
  const std::string here = std::filesystem::current_path().string();
  if (from_file) {
    plan.settings = read_study_file(options.file);
    make_paths_absolute(plan.settings, std::filesystem::absolute(options.file).parent_path().string());
  }
  if (plan.exists && !from_file) plan.settings = open_study(plan.place).settings;
  apply_flags(plan.settings, options.flags);
  make_paths_absolute(plan.settings, here);
  const StudySettings stored = plan.exists ? open_study(plan.place).settings : StudySettings{};
  fill_in_folders(plan.settings, plan.exists ? &stored : nullptr, here);
  // A misspelt baseline is an error at once, not after the search.
  if (!plan.settings.baseline.empty()) plan.settings.baseline = to_call(read_expr(plan.settings.baseline));
  complete_settings(plan.settings);
  return plan;
}

// On a terminal one line that changes, elsewhere one for each result; then a few lines about the workers.
class RunDisplay {
 public:
  RunDisplay(Store& store, const StudySettings& settings) : store_(store), settings_(settings) {}

  void watch(RunStudyOptions& options, RunContext& context) {
    options.baseline_done = [this](const StageJob& job, const TrialOutcome& outcome) { baseline_.tell(job, outcome); };
    options.baseline_failed = [this](const Error& why) {
      baseline_.clear();
      fmt::print(stderr, "actforge: the baseline could not be measured: {}\n", to_utf8(readable(why.what())));
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

void search(Store& store, const Plan& plan) {
  RunStudyOptions options = {.settings = plan.settings,
                             .worker = worker_command(plan.place, plan.settings),
                             .evaluate = evaluate_command(plan.place, plan.settings, "baseline")};
  const Interrupt interrupt;
  RunContext context = interrupt.context();
  RunDisplay display(store, plan.settings);
  display.watch(options, context);
  run_study(store, options, context);
}

StudySummary answer(Store& store, const Plan& plan, bool json) {
  const StudySummary summary = summarise(store, plan.settings);
  json ? print_json(summary_json(summary)) : print_summary(summary);
  return summary;
}

int run(const Options& options) {
  const Plan plan = read_plan(options);
  const std::unique_ptr<Store> store = begin_study(plan.place, plan.settings, options.retry);
  try {
    search(*store, plan);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kCancelled) throw;
    answer(*store, plan, options.json);
    throw Error(ErrorCode::kCancelled, "stopped; 'actforge search resume " + plan.place + "' continues");
  }
  const StudySummary summary = answer(*store, plan, options.json);
  if (summary.counts.completed == 0 && summary.counts.quarantined > 0) {
    throw Error(ErrorCode::kFailed, "the evaluator failed on every trial; 'actforge search show " + plan.place +
                                        " 0' says why, and 'search resume --retry' tries them again");
  }
  return 0;
}

}  // namespace

VerbAction add_search_run(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("FILE", options->file, "A study file (.toml), or a study to continue (.db)");
  verb.add_option("--study", options->study, "Where the study is stored [next to the study file]")
      ->type_name("FILE.db");
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kAll);
  return [options] { return run(*options); };
}

VerbAction add_search_resume(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->file, "The study, such as study.db")->required();
  verb.add_flag("--retry", options->retry, "Also retry trials that were set aside, after the evaluator has been fixed");
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
