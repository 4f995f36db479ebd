#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "actforge/store/store.h"

namespace actforge {

// Renews the claim of a trial while it is evaluated, from a thread with a connection of its own.
class Heartbeat {
 public:
  Heartbeat(const std::string& place, const Trial& trial, const WorkerName& worker);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // The claim is gone: the result will not be taken.
  bool lost() const { return lost_; }

 private:
  void run(const std::string& place, const Trial& trial, const WorkerName& worker);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::atomic<bool> lost_ = false;
  std::thread thread_;
};

}  // namespace actforge
