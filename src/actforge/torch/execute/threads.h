#pragma once

#include <cstddef>

namespace actforge {

// How many threads LibTorch uses for what the calling thread asks of it; 0: one per processor. Matrix products are made
// by whatever BLAS is installed: one with threads of its own (OpenBLAS built with pthreads) does not know LibTorch's
// number, and gets it here, for the whole process.
void set_threads(std::size_t threads);

// The same, where the caller has threads of its own in which matrices are multiplied: such a BLAS gets one.
void set_threads_around_products(std::size_t threads);

}  // namespace actforge
