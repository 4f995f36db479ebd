#include "actforge/expr/kernels/simd_kernels.h"

#include <algorithm>
#include <vector>

// Plain, AVX2 and AVX-512 on x86, NEON on ARM; the ones between would only lengthen the build.
// Vectors of the SVE targets cannot be members of a struct.
#define ACTFORGE_NO_SVE (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_DISABLED_TARGETS
#ifdef ACTFORGE_NO_AVX512
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | ACTFORGE_NO_SVE)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | ACTFORGE_NO_SVE)
#endif

// Highway compiles this file once per instruction set by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/expr/kernels/simd_kernels.cpp"
#include "hwy/foreach_target.h"
// The library's functions must follow foreach_target.h.
#include "actforge/expr/kernels/simd_table-inl.h"

#if HWY_ONCE
#include "actforge/expr/kernels/exact_fma_kernels.h"

namespace actforge {

std::span<const KernelTable> kernel_tables() {
  static const std::vector<KernelTable> tables = [] {
    struct Candidate {
      std::int64_t target;
      KernelTable (*make)();
    };
    std::vector<KernelTable> list;
    for (const Candidate& candidate :
         {Candidate{HWY_AVX3, HWY_CHOOSE_AVX3(make_table)}, Candidate{HWY_AVX2, HWY_CHOOSE_AVX2(make_table)},
          Candidate{HWY_NEON, HWY_CHOOSE_NEON(make_table)}, Candidate{HWY_SCALAR, HWY_CHOOSE_FALLBACK(make_table)}}) {
      if (candidate.make == nullptr || (hwy::SupportedTargets() & candidate.target) == 0) continue;
      const KernelTable table = candidate.make();
      // Where the baseline has vectors, as on ARM, the fallback is that baseline once more.
      if (list.empty() || list.back().name != table.name) list.push_back(table);
    }
    list.push_back(exact_fma_table());
    return list;
  }();
  return tables;
}

const KernelTable& portable_table() {
  return *std::ranges::find_if(kernel_tables(), &KernelTable::fused);  // the last one is
}

}  // namespace actforge
#endif
