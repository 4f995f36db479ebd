#include "actforge/study/heartbeat.h"

#include <chrono>
#include <optional>

#include "actforge/base/error.h"

namespace actforge {

Heartbeat::Heartbeat(const std::string& location, const Trial& trial, const WorkerName& worker)
    : thread_([=, this] { run(location, worker.lease, [&](Store& store) { return store.beat(trial, worker); }); }) {}

Heartbeat::Heartbeat(const std::string& location, const FeatureClaim& claim, const WorkerName& worker)
    : thread_([=, this] { run(location, worker.lease, [&](Store& store) { return store.beat(claim, worker); }); }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Four times in a lease: three may be late. A store that cannot be reached for once is tried again; if it stays so, the
// lease runs out, which is what a lease is for. The store is opened for the first beat: most trials end before.
void Heartbeat::run(const std::string& location, double lease, const Beat& beat) {
  const std::chrono::duration<double> pause(lease / 4);
  std::unique_ptr<Store> store;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause, [&] { return over_; })) {
    lock.unlock();
    try {
      if (store == nullptr) store = open_store(location);
      if (!beat(*store)) lost_ = true;
    } catch (const Error&) {
      store.reset();
    }
    lock.lock();
    if (lost_) return;
  }
}

}  // namespace actforge
