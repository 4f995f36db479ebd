#include "actforge/base/parallel.h"

#include <algorithm>

#include "actforge/base/start_threads.h"

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
    const std::vector<std::jthread> others = start_threads(threads - 1, share);
    share(0);
    for (std::size_t left = others.size() + 1; left < threads; ++left) share(left);
  }
  rethrow_first(failures);
}

}  // namespace actforge
