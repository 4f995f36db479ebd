#include "actforge/torch/execute/threads.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <omp.h>

#include <algorithm>

#include "actforge/base/parallel.h"

namespace actforge {
namespace {

template <class Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

void set_blas_threads(std::size_t threads) {
  static auto* const kind = find_function<int()>("openblas_get_parallel");
  static auto* const set = find_function<void(int)>("openblas_set_num_threads");
  constexpr int kOwnThreads = 1;  // as against none, or those of OpenMP, which are LibTorch's too
  if (kind != nullptr && set != nullptr && kind() == kOwnThreads) set(static_cast<int>(threads));
}

// OpenMP starts no more threads than OMP_THREAD_LIMIT says, whatever it is asked for. oneDNN believes what it was asked
// for, and would wait for ever for those that are missing.
std::size_t allowed_threads(std::size_t threads) {
  return std::min(thread_count(threads), static_cast<std::size_t>(omp_get_thread_limit()));
}

}  // namespace

void set_threads(std::size_t threads) {
  at::set_num_threads(static_cast<int>(allowed_threads(threads)));
  set_blas_threads(allowed_threads(threads));
}

void set_threads_around_products(std::size_t threads) {
  at::set_num_threads(static_cast<int>(allowed_threads(threads)));
  set_blas_threads(1);
}

}  // namespace actforge
