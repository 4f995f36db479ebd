#include "actforge/base/parallel.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace actforge {

std::size_t thread_count(std::size_t wanted) {
  return wanted != 0 ? wanted : std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t threads, std::size_t count,
                  const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
  threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(1, count));
  std::vector<std::exception_ptr> failures(threads);
  const auto share = [&](std::size_t thread) {
    try {
      work(count * thread / threads, count * (thread + 1) / threads, thread);
    } catch (...) {
      failures[thread] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(share, thread);
    share(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace actforge
