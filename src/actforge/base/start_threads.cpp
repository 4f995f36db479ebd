#include "actforge/base/start_threads.h"

namespace actforge {

std::vector<std::jthread> start_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(work, threads.size() + 1);
  } catch (const std::exception&) {
    return threads;  // those that did start go on
  }
  return threads;
}

void rethrow_first(const std::vector<std::exception_ptr>& failures) {
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace actforge
