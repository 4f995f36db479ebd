#pragma once

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>

// Takes the place of the C library's pthread_create, so that a test can have it fail as it does where a system has no
// more threads. One file of a program may include it.
namespace actforge::problems {

inline std::atomic<int> threads_left = -1;  // -1: any number

// Only so many more threads can start while it lives.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) { threads_left = threads; }
  ~ThreadLimit() { threads_left = -1; }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
};

inline bool may_start() {
  if (threads_left < 0) return true;
  if (threads_left == 0) return false;
  --threads_left;
  return true;
}

}  // namespace actforge::problems

// NOLINTNEXTLINE(misc-definitions-in-headers): replaces the C library's in the one program that includes it
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!actforge::problems::may_start()) return EAGAIN;
  return create(thread, attributes, run, argument);
}
