#include "actforge/spectrum/panel_products.h"

#include <algorithm>

// Plain, AVX2 and AVX-512 on x86, NEON on ARM.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "actforge/spectrum/panel_products.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace actforge::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kPanelColumns>;
using V = hn::Vec<D>;

// A tile of the sums stays in registers while all rows pass: some columns of a by two vectors of columns of b. A
// multiplication and addition takes four cycles or five and one or two begin in each, so eight sums keep the processor
// busy, and sixteen load less for each; where there are but sixteen registers, eight must do.
constexpr std::int64_t kTileRows = HWY_MAX_BYTES >= 64 ? 8 : 4;
constexpr std::int64_t kTileVectors = 2;
static_assert(kPanelColumns % kTileRows == 0);

HWY_INLINE std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(D())); }

// Where the first row has this column.
HWY_INLINE std::int64_t offset(const PanelPairs& pairs, std::int64_t column) {
  return column / kPanelColumns * pairs.panel + column % kPanelColumns;
}

template <std::int64_t kVectors>
HWY_INLINE void add_tile(const PanelPairs& pairs, std::int64_t row, std::int64_t column, double* sums) {
  const D d;
  V sum[kTileRows][kVectors];
  for (auto& of_row : sum) {
    for (V& one : of_row) one = hn::Zero(d);
  }
  const double* from_a = pairs.a + offset(pairs, row);
  const double* from_b[kVectors];
  for (std::int64_t j = 0; j < kVectors; ++j) from_b[j] = pairs.b + offset(pairs, column + j * lanes());
  for (const std::int64_t start : pairs.starts) {
    std::int64_t at = start;
    for (std::int64_t n = 0; n < pairs.rows; ++n, at += pairs.step) {
      V of_b[kVectors];
      for (std::int64_t j = 0; j < kVectors; ++j) of_b[j] = hn::LoadU(d, from_b[j] + at);
      for (std::int64_t i = 0; i < kTileRows; ++i) {
        const V of_a = hn::Set(d, from_a[at + i]);
        for (std::int64_t j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(of_a, of_b[j], sum[i][j]);
      }
    }
  }
  for (std::int64_t i = 0; i < kTileRows; ++i) {
    for (std::int64_t j = 0; j < kVectors; ++j) {
      double* to = sums + (row + i) * pairs.columns + column + j * lanes();
      hn::StoreU(hn::Add(hn::LoadU(d, to), sum[i][j]), d, to);
    }
  }
}

void products(const PanelPairs& pairs, double* sums) {
  for (std::int64_t row = pairs.first; row < pairs.last; row += kTileRows) {
    // With itself, a tile that ends before the diagonal is the mirror image of another one.
    std::int64_t column = pairs.a == pairs.b ? row / lanes() * lanes() : 0;
    for (; column + kTileVectors * lanes() <= pairs.columns; column += kTileVectors * lanes()) {
      add_tile<kTileVectors>(pairs, row, column, sums);
    }
    for (; column < pairs.columns; column += lanes()) add_tile<1>(pairs, row, column, sums);
  }
}

void rows(const PanelPairs& pairs, double* sums) {
  const D d;
  for (std::int64_t column = pairs.first; column < pairs.last; column += lanes()) {
    V sum = hn::Zero(d);
    const double* from = pairs.a + offset(pairs, column);
    for (const std::int64_t start : pairs.starts) {
      std::int64_t at = start;
      for (std::int64_t n = 0; n < pairs.rows; ++n, at += pairs.step) sum = hn::Add(sum, hn::LoadU(d, from + at));
    }
    hn::StoreU(hn::Add(hn::LoadU(d, sums + column), sum), d, sums + column);
  }
}

HWY_INLINE V load(const double* from) { return hn::LoadU(D(), from); }
HWY_INLINE V load(const float* from) {
  const D d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}

template <class Number>
void copy(const Number* from, const PanelCopy& copy) {
  for (std::int64_t column = 0; column < copy.width; column += kPanelColumns) {
    const Number* row = from + column;
    double* to = copy.to + column / kPanelColumns * copy.panel;
    const std::int64_t count = std::min(kPanelColumns, copy.width - column);
    for (std::int64_t n = 0; n < copy.rows; ++n, row += copy.width, to += kPanelColumns) {
      if (count == kPanelColumns) {
        for (std::int64_t i = 0; i < kPanelColumns; i += lanes()) hn::StoreU(load(row + i), D(), to + i);
      } else {
        for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<double>(row[i]);
      }
    }
  }
}

void copy_floats(const float* from, const PanelCopy& to) { copy(from, to); }
void copy_doubles(const double* from, const PanelCopy& to) { copy(from, to); }

}  // namespace
}  // namespace actforge::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace actforge {
namespace {

HWY_EXPORT(products);
HWY_EXPORT(rows);
HWY_EXPORT(copy_floats);
HWY_EXPORT(copy_doubles);

}  // namespace

void add_products(const PanelPairs& pairs, double* sums) { HWY_DYNAMIC_DISPATCH(products)(pairs, sums); }
void add_rows(const PanelPairs& pairs, double* sums) { HWY_DYNAMIC_DISPATCH(rows)(pairs, sums); }
void copy_to_panels(const float* from, const PanelCopy& copy) { HWY_DYNAMIC_DISPATCH(copy_floats)(from, copy); }
void copy_to_panels(const double* from, const PanelCopy& copy) { HWY_DYNAMIC_DISPATCH(copy_doubles)(from, copy); }

}  // namespace actforge
#endif
