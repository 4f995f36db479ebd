#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace actforge {

// What every long computation is given: its seed, the number of threads it may use, how it learns that it should
// stop, and how it reports progress. Passed by value or by reference, never global.
struct RunContext {
  std::uint64_t seed = 0;
  std::size_t threads = 1;  // 0: one per processor
  // Called often and from any thread, so it must be fast and thread-safe. True: stop. Empty: never
  // stop.
  std::function<bool()> stop = {};
  // How much of a step is done; called now and then, by one thread at a time. Empty: progress is not reported.
  std::function<void(std::string_view step, std::size_t done, std::size_t total)> progress = {};

  bool stopped() const { return stop && stop(); }
  // The one way of cancelling: throws Error (kCancelled) where stop() says so. Long loops call it at every step.
  void check() const;
  // Reports progress, and checks.
  void show(std::string_view step, std::size_t done, std::size_t total) const;
};

}  // namespace actforge
