#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "actforge/base/duration.h"
#include "actforge/expr/print.h"
#include "actforge/interrupt.h"
#include "actforge/report/text.h"
#include "actforge/search/study_file.h"
#include "actforge/search/study_inputs.h"
#include "actforge/search/worker.h"
#include "actforge/search/worker_pool.h"
#include "actforge/search_display.h"
#include "actforge/search_options.h"
#include "actforge/search_stage.h"
#include "actforge/search_summary.h"

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
  bool exists = false, retry = false;
};

Plan read_plan(const Options& options) {
  Plan plan = {.place = {}, .settings = {}, .exists = false, .retry = options.retry};
  const bool from_file = is_toml(options.file);
  if (!options.file.empty() && !from_file && !options.study.empty()) {
    throw Error(ErrorCode::kUsage, "there are two studies, '" + options.file + "' and --study '" + options.study + "'");
  }
  plan.place = !options.study.empty() ? options.study
               : from_file            ? std::filesystem::path(options.file).replace_extension(".db").string()
                                      : options.file;
  if (plan.place.empty()) {
    throw Error(ErrorCode::kUsage, "where is the study to be kept? Give a study file, or --study FILE.db");
  }
  plan.exists = store_exists(plan.place);
  if (!options.file.empty() && !from_file && !plan.exists) {
    throw Error(ErrorCode::kBadInput, "there is no study '" + options.file +
                                          "'; a new one begins from a study file, see 'actforge search new'");
  }
  // Names of files in a study file are meant from where that is, or from here; those of flags from here.
  const std::string here = std::filesystem::current_path().string();
  if (from_file) {
    plan.settings = read_study_file(options.file);
    make_paths_absolute(plan.settings, std::filesystem::absolute(options.file).parent_path().string());
  }
  if (plan.exists && !from_file) plan.settings = open_study(plan.place).settings;
  apply_flags(plan.settings, options.flags);
  make_paths_absolute(plan.settings, here);
  if (plan.settings.evaluator == "command" && plan.settings.directory.empty()) {
    plan.settings.directory = plan.exists ? open_study(plan.place).settings.directory : here;
  }
  // A misspelt baseline is told at once, not after the search.
  if (!plan.settings.baseline.empty()) plan.settings.baseline = to_call(read_expr(plan.settings.baseline));
  complete_settings(plan.settings);
  return plan;
}

std::unique_ptr<Store> open_plan(const Plan& plan) {
  if (!plan.exists) return create_study(plan.place, plan.settings);
  const OpenStudy study = open_study(plan.place);
  continued_settings(with_moved_files(*study.store, study.settings, plan.settings), plan.settings);
  check_inputs(*study.store, plan.settings);
  if (const std::string toml = study_toml(plan.settings, false); toml != study.store->header().settings) {
    study.store->keep_settings(toml);
    note_inputs(*study.store, plan.settings);
  }
  if (plan.retry) study.store->retry_quarantined();
  study.store->add_event("resumed", fmt::format("trials {}, workers {}", plan.settings.trials, plan.settings.workers));
  // How many attempts a trial has may have changed.
  return open_store(plan.place, {.attempts = static_cast<int>(plan.settings.attempts)});
}

std::vector<std::string> worker_command(const Plan& plan) {
  std::vector<std::string> command = {this_program(), "search", "worker",
                                      std::filesystem::absolute(plan.place).string()};
  const std::vector<std::string> flags = changed_flags(plan.settings);
  command.insert(command.end(), flags.begin(), flags.end());
  return command;
}

// Starts workers, replaces those that die, until the study is over or somebody says stop.
class Supervisor {
 public:
  Supervisor(const Plan& plan, Store& store)
      : settings_(plan.settings), store_(store), pool_(worker_command(plan)), display_(store, plan.settings) {}

  // The exit code.
  int run() {
    try {
      return supervise();
    } catch (const Error&) {
      end_workers();
      throw;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  int supervise() {
    const Interrupt interrupt;
    release_dead();
    for (std::uint64_t i = 0; i < settings_.workers; ++i) pool_.start();
    bool stopping = false;
    while (pool_.size() > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (interrupt.requested() && !stopping) {
        stopping = true;
        pool_.stop(false);
      }
      for (const WorkerExit& exit : pool_.ended()) handle(exit, stopping);
      keep_time(false);
      display_.update(pool_.names());
    }
    keep_time(true);
    return interrupt.requested() ? interrupt.exit_code() : 0;
  }

  // After an error of one, the others give their trials back; who does not within some seconds is killed.
  void end_workers() {
    pool_.stop(false);
    const Clock::time_point patience = Clock::now() + std::chrono::seconds(10);
    while (pool_.size() > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (Clock::now() > patience) pool_.stop(true);
      for (const WorkerExit& exit : pool_.ended()) store_.release_dead(exit.worker);
    }
  }

  // Claims of processes that are no more: of a run that was killed.
  void release_dead() {
    for (const std::string& worker : store_.workers()) {
      if (!worker_is_alive(worker)) store_.release_dead(worker);
    }
  }

  void handle(const WorkerExit& exit, bool stopping) {
    store_.release_dead(exit.worker);
    if (!exit.by_signal && exit.code == 0) return;
    if (!exit.by_signal && exit.code <= static_cast<int>(ErrorCode::kStorage)) {
      std::string message = exit.message;
      while (!message.empty() && message.back() == '\n') message.pop_back();
      if (message.starts_with("actforge: ")) message = message.substr(10);
      throw Error(static_cast<ErrorCode>(exit.code), message.empty() ? "a worker failed" : message);
    }
    if (stopping) return;
    check_progress(exit);
    pool_.start();
  }

  // Workers that die again and again before they get anything done will not begin to.
  void check_progress(const WorkerExit& exit) {
    if (display_.ended() > ended_at_death_) deaths_ = 0;
    ended_at_death_ = display_.ended();
    const auto most = static_cast<int>(3 * (settings_.workers + settings_.attempts));
    if (++deaths_ <= most) return;
    throw Error(ErrorCode::kFailed, fmt::format("{} workers died without a result between them; the last one {} {}{}",
                                                deaths_, exit.by_signal ? "by signal" : "with code", exit.code,
                                                exit.message.empty() ? "" : ": " + exit.message));
  }

  // Every second, so that a time limit counts what was worked, whoever is killed.
  void keep_time(bool at_once) {
    const std::chrono::duration<double> passed = Clock::now() - counted_;
    if (passed.count() < 1 && !at_once) return;
    store_.add_seconds(passed.count());
    counted_ = Clock::now();
  }

  const StudySettings& settings_;
  Store& store_;
  WorkerPool pool_;
  SearchDisplay display_;
  Clock::time_point counted_ = Clock::now();
  int deaths_ = 0;
  std::int64_t ended_at_death_ = 0;
};

// What functions are to be better than. No reason to stop where it cannot be measured: what is wrong with the evaluator
// the search will tell.
int measure_baseline(const Plan& plan, Store& store) {
  if (plan.settings.baseline.empty()) return 0;
  // Trained or computed by somebody else's program, results differ from run to run; the others' do not.
  const bool varies = plan.settings.evaluator == "train" || plan.settings.evaluator == "command";
  StageRun stage = {.place = plan.place, .settings = plan.settings, .stage = baseline_stage(plan.settings)};
  stage.functions = {plan.settings.baseline};
  stage.repeats = varies ? 3 : 1;
  stage.attempts = 1;
  try {
    return run_stage(store, stage);
  } catch (const Error& error) {
    fmt::print(stderr, "actforge: the baseline could not be measured: {}\n", to_utf8(readable(error.what())));
    return 0;
  }
}

int run(const Options& options) {
  const Plan plan = read_plan(options);
  const std::unique_ptr<Store> store = open_plan(plan);
  int code = measure_baseline(plan, *store);
  if (code == 0) {
    Supervisor supervisor(plan, *store);
    code = supervisor.run();
  }
  const StudySummary summary = summarise(*store, plan.settings);
  options.json ? print_json(summary_json(summary)) : print_summary(summary);
  if (code == 0 && summary.counts.completed == 0 && summary.counts.quarantined > 0) {
    throw Error(ErrorCode::kFailed, "every trial broke the evaluator; 'actforge search show " + plan.place +
                                        " 0' says why, and 'search resume --retry' tries them again");
  }
  if (code != 0) fmt::print(stderr, "actforge: stopped; 'actforge search resume {}' goes on\n", plan.place);
  return code;
}

}  // namespace

Run add_search_run(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("FILE", options->file, "A study file (.toml), or a study to go on with (.db)");
  verb.add_option("--study", options->study, "Where the study is kept; beside the study file, if not given")
      ->type_name("FILE.db");
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kAll);
  return [options] { return run(*options); };
}

Run add_search_resume(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->file, "The study, such as study.db")->required();
  verb.add_flag("--retry", options->retry, "Try again what was set aside, once the evaluator is mended");
  verb.add_flag("--json", options->json, "At the end, answer in JSON");
  add_study_flags(verb, options->flags, StudyFlagKind::kMayChange);
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
