#include "actforge/base/thread_team.h"

#include <algorithm>
#include <exception>
#include <latch>
#include <optional>

#include "actforge/base/start_threads.h"

namespace actforge {
namespace {

// Ends the work of a thread when another of its team has failed.
struct TeamFailed : std::exception {};

}  // namespace

void ThreadTeam::wait() {
  barrier_.arrive_and_wait();
  if (failed_) throw TeamFailed();
}

void ThreadTeam::leave(bool failed) {
  if (failed) failed_ = true;
  barrier_.arrive_and_drop();
}

void run_team(std::size_t threads, const std::function<void(std::size_t, ThreadTeam&)>& work) {
  threads = std::max<std::size_t>(1, threads);
  std::vector<std::exception_ptr> failures(threads);
  std::optional<ThreadTeam> team;  // when it is known how many threads have started
  const auto member = [&](std::size_t thread) {
    bool failed = false;
    try {
      work(thread, *team);
    } catch (const TeamFailed&) {
      failed = true;  // another member knows why
    } catch (...) {
      failed = true;
      failures[thread] = std::current_exception();
    }
    team->leave(failed);
  };
  {
    std::latch team_is_known(1);
    const std::vector<std::jthread> others = start_threads(threads - 1, [&](std::size_t thread) {
      team_is_known.wait();
      member(thread);
    });
    team.emplace(others.size() + 1);
    team_is_known.count_down();
    member(0);
  }
  rethrow_first(failures);
}

}  // namespace actforge
