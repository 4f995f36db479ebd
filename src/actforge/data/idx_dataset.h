#pragma once

#include <array>
#include <string_view>

#include "actforge/data/dataset.h"

namespace actforge {

// Of MNIST, and of whatever follows its conventions: images first, then their labels.
inline constexpr std::array<std::string_view, 2> kIdxTrainFiles = {"train-images-idx3-ubyte",
                                                                   "train-labels-idx1-ubyte"};
inline constexpr std::array<std::string_view, 2> kIdxTestFiles = {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

ImageSet load_idx(const Dataset& row, Part part);

}  // namespace actforge
