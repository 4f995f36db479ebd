#pragma once

#include <cstdint>
#include <span>

namespace actforge {

// A matrix of doubles is kept in panels of this many columns, in each of which row comes after row: whichever columns
// are multiplied with each other, they are read one after the other. A panel fills a line of the cache and the widest
// registers; missing columns are zero.
inline constexpr std::int64_t kPanelColumns = 8;

// Copies rows of `width` numbers that lie one after the other. The panels are `panel` numbers apart; what is beyond the
// width is left as it is.
struct PanelCopy {
  std::int64_t rows = 0, width = 0;
  double* to = nullptr;
  std::int64_t panel = 0;
};
void copy_to_panels(const float* from, const PanelCopy& copy);
void copy_to_panels(const double* from, const PanelCopy& copy);

// Pairs of rows, one of a and one of b, which lie alike in memory: `rows` of them from each of `starts` on. All numbers
// are counted in doubles.
struct PanelPairs {
  const double* a = nullptr;
  const double* b = nullptr;
  std::int64_t columns = 0;                   // of both, a multiple of kPanelColumns
  std::int64_t panel = 0;                     // from one panel to the next
  std::span<const std::int64_t> starts = {};  // within the first panel of a, and of b alike
  std::int64_t rows = 0;
  std::int64_t step = 0;             // from one row to the next
  std::int64_t first = 0, last = 0;  // columns of a that are wanted, first .. last-1; both multiples of kPanelColumns
};

// sums[columns][columns] += Σ aᵀb, of its rows first .. last-1. Where a and b are the same, what is below the diagonal
// is added or not, whichever is faster.
void add_products(const PanelPairs& pairs, double* sums);

// sums[columns] += Σ a, of the wanted columns.
void add_rows(const PanelPairs& pairs, double* sums);

}  // namespace actforge
