#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "actforge/store/store.h"

namespace actforge {

// Renews a claim while somebody works on it, from a thread with a connection of its own.
class Heartbeat {
 public:
  Heartbeat(const std::string& location, const Trial& trial, const WorkerName& worker);
  Heartbeat(const std::string& location, const FeatureClaim& claim, const WorkerName& worker);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // The claim is gone: the result will not be taken.
  bool lost() const { return lost_; }

 private:
  using Beat = std::function<bool(Store& store)>;
  void run(const std::string& location, double lease, const Beat& beat);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::atomic<bool> lost_ = false;
  std::thread thread_;
};

}  // namespace actforge
