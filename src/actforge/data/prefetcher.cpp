#include "actforge/data/prefetcher.h"

#include <algorithm>
#include <utility>

namespace actforge {

Prefetcher::Prefetcher(Make make, std::size_t threads, std::size_t ahead)
    : make_(std::move(make)), slots_(threads == 0 ? 1 : std::max<std::size_t>(1, ahead) + 1) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
}

void Prefetcher::cancel() {
  std::unique_lock lock(mutex_);
  count_ = claimed_ = taken_ = released_ = 0;
  ready_.wait(lock, [this] { return busy_ == 0; });
  for (Slot& slot : slots_) {
    slot.ready = false;
    slot.failure = nullptr;
  }
}

void Prefetcher::start(std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    count_ = count;
  }
  wanted_.notify_all();
}

const Batch* Prefetcher::next() {
  if (threads_.empty()) return next_here();
  std::unique_lock lock(mutex_);
  if (taken_ == count_) return nullptr;
  released_ = taken_;
  wanted_.notify_one();
  Slot& slot = slots_[taken_ % slots_.size()];
  ready_.wait(lock, [&] { return slot.ready; });
  slot.ready = false;
  ++taken_;
  if (slot.failure) {
    count_ = taken_;
    std::rethrow_exception(std::exchange(slot.failure, nullptr));
  }
  return &slot.batch;
}

const Batch* Prefetcher::next_here() {
  if (taken_ == count_) return nullptr;
  const std::size_t number = taken_++;
  try {
    make_(number, slots_[0].batch);
  } catch (...) {
    count_ = taken_;
    throw;
  }
  return &slots_[0].batch;
}

void Prefetcher::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto may_make = [this] { return claimed_ < count_ && claimed_ < released_ + slots_.size(); };
  while (wanted_.wait(lock, stop, may_make)) {
    if (stop.stop_requested()) return;
    const std::size_t number = claimed_++;
    Slot& slot = slots_[number % slots_.size()];
    ++busy_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      make_(number, slot.batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    slot.failure = std::move(failure);
    slot.ready = true;
    --busy_;
    ready_.notify_one();
  }
}

}  // namespace actforge
