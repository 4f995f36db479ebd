#pragma once

#include "actforge/expr/kernels/simd_kernels.h"

namespace actforge {

// Plain C++ that gives the bits of the instruction sets with fused multiply-add: the last row of kernel_tables().
KernelTable exact_fma_table();

}  // namespace actforge
