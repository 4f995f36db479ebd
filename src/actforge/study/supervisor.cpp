#include "actforge/study/supervisor.h"

#include <thread>

#include "actforge/base/error.h"
#include "actforge/study/worker.h"

namespace actforge {
namespace {

constexpr std::chrono::milliseconds kPause{20};

// What a worker said, as the message of an error here.
std::string message_of(const WorkerExit& exit) {
  std::string message = exit.message;
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (message.starts_with("actforge: ")) message = message.substr(10);
  return message.empty() ? "a worker failed" : message;
}

// Trials that are over, and functions that have features or were set aside.
std::int64_t results_of(Store& store) {
  std::int64_t results = store.counts().over();
  for (const std::string& group : store.feature_groups()) {
    results += static_cast<std::int64_t>(store.feature_keys(group).size());
  }
  return results;
}

bool is_error(const WorkerExit& exit) { return !exit.by_signal && exit.code <= static_cast<int>(ErrorCode::kStorage); }

}  // namespace

void Supervisor::run(const RunContext& context, const Watch& watch) {
  try {
    supervise(context, watch);
  } catch (const Error&) {
    end_workers();
    throw;
  }
}

void Supervisor::supervise(const RunContext& context, const Watch& watch) {
  release_dead_workers(store_);
  if (watch) watch({});  // whoever looks for news sees all of them
  for (std::uint64_t i = 0; i < settings_.workers; ++i) pool_.start();
  bool stopping = false;
  while (pool_.size() > 0) {
    std::this_thread::sleep_for(kPause);
    if (context.stopped() && !stopping) {
      stopping = true;
      pool_.stop(false);
    }
    for (const WorkerExit& exit : pool_.ended()) handle(exit, stopping);
    keep_time(false);
    if (watch) watch(pool_.names());
  }
  keep_time(true);
  context.check();
}

// After an error of one worker the others release their trials; those that do not within some seconds are killed.
void Supervisor::end_workers() {
  pool_.stop(false);
  const Clock::time_point busy_timeout = Clock::now() + std::chrono::seconds(10);
  while (pool_.size() > 0) {
    std::this_thread::sleep_for(kPause);
    if (Clock::now() > busy_timeout) pool_.stop(true);
    for (const WorkerExit& exit : pool_.ended()) store_.release_dead(exit.worker);
  }
}

void Supervisor::handle(const WorkerExit& exit, bool stopping) {
  store_.release_dead(exit.worker);
  if (!exit.by_signal && exit.code == 0) return;
  if (is_error(exit)) throw Error(static_cast<ErrorCode>(exit.code), message_of(exit));
  if (stopping) return;
  check_progress(exit);
  pool_.start();
}

// Workers that die again and again without a result will not recover.
void Supervisor::check_progress(const WorkerExit& exit) {
  const std::int64_t results = results_of(store_);
  if (results > results_at_death_) deaths_ = 0;
  results_at_death_ = results;
  const auto most = static_cast<int>(3 * (settings_.workers + settings_.attempts));
  if (++deaths_ <= most) return;
  throw Error(ErrorCode::kFailed, std::to_string(deaths_) +
                                      " workers in a row died without a result; the last one ended " +
                                      (exit.by_signal ? "by signal " : "with code ") + std::to_string(exit.code) +
                                      (exit.message.empty() ? "" : ": " + exit.message));
}

// Every second, so that a time limit counts the work done, even if a process is killed.
void Supervisor::keep_time(bool at_once) {
  const std::chrono::duration<double> passed = Clock::now() - counted_;
  if (passed.count() < 1 && !at_once) return;
  store_.add_seconds(passed.count());
  counted_ = Clock::now();
}

}  // namespace actforge
