#pragma once

#include "actforge/data/dataset.h"

namespace actforge {

// A data set of MNIST's form, whose conventions others follow: 60,000 and 10,000 grey images of 28 by 28 pixels in IDX
// files. Name, summary and how to get it are left to fill in.
Dataset mnist_form(std::span<const std::string_view> class_names);

}  // namespace actforge
