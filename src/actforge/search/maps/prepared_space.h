#pragma once

#include <cstddef>

namespace actforge {

// What a strategy works out about a space before it predicts anything there: a map, or profiles of its functions. It
// takes longer than a search whose scores are looked up, so that those who try a strategy many times share it.
class PreparedSpace {
 public:
  virtual ~PreparedSpace() = default;
  // How many functions lack a spectrum without which it cannot be used.
  virtual std::size_t spectra_missing() const { return 0; }
};

}  // namespace actforge
