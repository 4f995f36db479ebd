#include "actforge/expr/kernels/exact_fma_kernels.h"

// One lane, and std::fma instead of the product and the sum that Highway has for it; in a namespace of its own, beside
// what simd_kernels.cpp makes of the same code.
#define HWY_COMPILE_ONLY_SCALAR
#define ACTFORGE_EXACT_FMA
#define ACTFORGE_SIMD actforge::exact_fma
#include "actforge/expr/kernels/simd_table-inl.h"

namespace actforge {

KernelTable exact_fma_table() {
  KernelTable table = exact_fma::HWY_NAMESPACE::make_table();
  table.name = "SCALAR_FMA";
  return table;
}

}  // namespace actforge
