#include "actforge/study/stage_runner.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "actforge/base/error.h"
#include "actforge/base/subprocess.h"
#include "actforge/study/worker_environment.h"

namespace actforge {
namespace {

std::vector<std::string> command_line(const StageOptions& options, const StageJob& job) {
  std::vector<std::string> words = options.command;
  words.insert(words.end(), {"--function", job.expression, "--repeat", std::to_string(job.repeat)});
  return words;
}

// For the shell.
std::string asked_command(const StageOptions& options) {
  std::string text = "exec";
  for (const std::string& word : options.command) text += " " + shell_quoted(word);
  return text + " --asked";
}

[[noreturn]] void throw_end(const SubprocessEnd& end, const StageJob& job) {
  std::string message = end.errors;
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (message.starts_with("actforge: ")) message = message.substr(10);
  const bool is_exit = end.kind == SubprocessEnd::Kind::kExit;
  const bool known = is_exit && end.code >= 1 && end.code <= static_cast<int>(ErrorCode::kStorage);
  if (message.empty()) {
    message = std::string("its process ended ") + (is_exit ? "with code " : "by signal ") + std::to_string(end.code);
  }
  throw Error(known ? static_cast<ErrorCode>(end.code) : ErrorCode::kFailed, job.expression + ": " + message);
}

TrialOutcome read_answer(const std::string& text, const StageJob& job) {
  try {
    return read_outcome_json(text);
  } catch (const Error& error) {
    throw Error(error.code(), job.expression + ": " + error.what());
  }
}

// Threads that wait for processes; results are handed to the thread that owns this.
class Runner {
 public:
  Runner(const std::vector<StageJob>& jobs, const StageOptions& options, const RunContext& context)
      : jobs_(jobs), options_(options), context_(context) {}
  ~Runner() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run() {
    const std::size_t count = std::min(std::max<std::size_t>(1, options_.workers), jobs_.size());
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, i] { work(i); });
    std::size_t done = 0;
    for (; done < jobs_.size(); context_.check()) {
      context_.show(options_.step, done, jobs_.size());
      for (auto& [job, outcome] : wait()) {
        options_.done(jobs_[job], outcome);
        ++done;
      }
    }
    context_.show(options_.step, done, jobs_.size());
  }

 private:
  using Result = std::pair<std::size_t, TrialOutcome>;

  // What has come in, after a moment at most. Throws what a thread threw.
  std::vector<Result> wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return !results_.empty() || error_; });
    if (results_.empty() && error_) std::rethrow_exception(error_);
    return std::exchange(results_, {});
  }

  void work(std::size_t place) {
    try {
      std::unique_ptr<AskedProgram> program;  // one that stays
      for (std::size_t job = next_++; job < jobs_.size() && !stop_; job = next_++) {
        const std::optional<TrialOutcome> outcome = evaluate(jobs_[job], place, program);
        if (!outcome) return;
        const std::scoped_lock lock(mutex_);
        results_.emplace_back(job, *outcome);
        changed_.notify_one();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_threads();
      changed_.notify_one();
    }
  }

  void stop_threads() { next_ = jobs_.size(); }

  // Nothing where it was stopped.
  std::optional<TrialOutcome> evaluate(const StageJob& job, std::size_t place,
                                       std::unique_ptr<AskedProgram>& program) const {
    for (int attempt = 1;; ++attempt) {
      std::string last;
      SubprocessOptions how = {.environment = worker_environment(place, options_.gpus)};
      how.run.stop = [this] { return stop_.load(); };
      how.line = [&](std::string_view line) { last = line; };
      const SubprocessEnd end =
          options_.stays ? ask(program, job, how, last) : run_program(command_line(options_, job), how);
      if (end.kind == SubprocessEnd::Kind::kStopped) return std::nullopt;
      try {
        const bool is_answer = end.kind == SubprocessEnd::Kind::kAnswered;
        if (!is_answer && (end.kind != SubprocessEnd::Kind::kExit || end.code != 0)) throw_end(end, job);
        return is_answer ? read_answer(last, job) : read_outcome_json(last);
      } catch (const Error& error) {
        // Wrong settings stay wrong.
        if (attempt >= options_.attempts || error.code() == ErrorCode::kUsage) throw;
      }
    }
  }

  // A process that has ended meanwhile, or that broke, is started again.
  SubprocessEnd ask(std::unique_ptr<AskedProgram>& program, const StageJob& job, const SubprocessOptions& how,
                    const std::string& answer) const {
    if (program == nullptr || program->has_ended()) {
      program = std::make_unique<AskedProgram>(asked_command(options_), how);
    }
    SubprocessEnd end = program->ask(job_json(job), how, [&] { return !answer.empty(); });
    if (end.kind != SubprocessEnd::Kind::kAnswered) program.reset();
    return end;
  }

  const std::vector<StageJob>& jobs_;
  const StageOptions& options_;
  const RunContext& context_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Result> results_;
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace

void run_jobs(const std::vector<StageJob>& jobs, const StageOptions& options, const RunContext& context) {
  if (!jobs.empty()) Runner(jobs, options, context).run();
}

}  // namespace actforge
