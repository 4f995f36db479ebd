#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace actforge {

struct SplitOptions {
  std::size_t validation = 0;              // images held out, the same whatever the subset is
  std::optional<std::size_t> subset = {};  // training images; all that are left if not set
  std::uint64_t seed = 0;
  // Validation images are taken from the last so many, which the data came with, and training images from the others.
  std::size_t held_out = 0;
  bool in_proportion = false;  // of each class as many as the data have; else equally many
};

// Images by their numbers, each list in rising order.
struct Split {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> validation;
};

// Draws validation images and training images that share none. Of each class there are equally many, or one more of
// some where the number of classes does not divide the size; or else as large a part as of the others, to within one.
// Training images without a `subset` are simply the rest.
// With the same seed and validation, a smaller subset is part of a larger one. Throws Error (kBadInput) where there are
// too few images of a class.
Split balanced_split(std::span<const int> labels, int classes, const SplitOptions& options);

}  // namespace actforge
