#pragma once

#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>

namespace actforge {

// Threads that run at the same time and wait for each other.
class ThreadTeam {
 public:
  explicit ThreadTeam(std::size_t size) : size_(size), barrier_(static_cast<std::ptrdiff_t>(size)) {}

  std::size_t size() const { return size_; }
  // Until all others are here too. Throws where one of them has failed, and will never come.
  void wait();

 private:
  friend void run_team(std::size_t threads, const std::function<void(std::size_t, ThreadTeam&)>& work);
  void leave(bool failed);

  std::size_t size_;
  std::barrier<> barrier_;
  std::atomic<bool> failed_ = false;
};

// Calls work(thread, team) on at most so many threads, as many as the system starts, and waits for all; the caller is
// number 0. An exception of any is thrown here.
void run_team(std::size_t threads, const std::function<void(std::size_t thread, ThreadTeam& team)>& work);

}  // namespace actforge
