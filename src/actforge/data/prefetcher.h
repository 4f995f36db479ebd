#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "actforge/data/batch.h"

namespace actforge {

// Lets threads make batches ahead, and returns them in order. Called by one thread.
class Prefetcher {
 public:
  // Makes the batch of that number; called by several threads at a time, for different batches.
  using Make = std::function<void(std::size_t number, Batch& batch)>;

  // Without threads every batch is made when it is asked for. `ahead` batches are made before they are.
  Prefetcher(Make make, std::size_t threads, std::size_t ahead);
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // No batch is being made from here on until start().
  void cancel();
  // Begins with batch 0 of `count`, after a cancel().
  void start(std::size_t count);
  // Valid until any other call; nullptr after the last batch. An exception of `make` is thrown here, in the place of
  // the batch, and ends the sequence.
  const Batch* next();

 private:
  struct Slot {
    Batch batch;
    bool ready = false;
    std::exception_ptr failure;
  };

  const Batch* next_here();
  void work(const std::stop_token& stop);

  Make make_;
  std::mutex mutex_;
  std::condition_variable_any wanted_;  // a batch may be made
  std::condition_variable ready_;       // a batch was made
  std::vector<Slot> slots_;             // batch n is in slot n % size; one more than `ahead`, for the caller's
  std::size_t count_ = 0;
  std::size_t claimed_ = 0;            // batches that a thread has started
  std::size_t taken_ = 0;              // batches that the caller got
  std::size_t released_ = 0;           // batches that the caller is done with
  std::size_t busy_ = 0;               // threads that make a batch
  std::vector<std::jthread> threads_;  // last: they end before anything that they use
};

}  // namespace actforge
