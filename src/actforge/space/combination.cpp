#include "actforge/space/combination.h"

namespace actforge {

Integer binomial(std::size_t n, std::size_t k) {
  Integer result = 1;
  for (std::size_t i = 0; i < k; ++i) result = result * (i < n ? n - i : 0) / (i + 1);
  return result;
}

std::vector<std::size_t> subset_at(std::size_t n, Integer index) {
  std::size_t size = 0;
  for (; index >= binomial(n, size); ++size) index -= binomial(n, size);
  std::vector<std::size_t> subset;
  for (std::size_t next = 0; subset.size() < size; ++next) {
    // Subsets that contain `next` come first: the rest of them is chosen from what lies beyond.
    const Integer with = binomial(n - next - 1, size - subset.size() - 1);
    if (index < with) {
      subset.push_back(next);
    } else {
      index -= with;
    }
  }
  return subset;
}

Integer subset_index(std::size_t n, const std::vector<std::size_t>& subset) {
  Integer index = 0;
  for (std::size_t size = 0; size < subset.size(); ++size) index += binomial(n, size);
  std::size_t next = 0;
  for (std::size_t i = 0; i < subset.size(); ++i, ++next) {
    for (; next < subset[i]; ++next) index += binomial(n - next - 1, subset.size() - i - 1);
  }
  return index;
}

}  // namespace actforge
