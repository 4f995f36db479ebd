#include "actforge/torch/execute/threads.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

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

}  // namespace

void set_threads(std::size_t threads) {
  at::set_num_threads(static_cast<int>(thread_count(threads)));
  set_blas_threads(thread_count(threads));
}

void set_threads_around_products(std::size_t threads) {
  at::set_num_threads(static_cast<int>(thread_count(threads)));
  set_blas_threads(1);
}

}  // namespace actforge
