#pragma once

#include "actforge/data/dataset.h"

namespace actforge {

// Every data set, each from its own file. A new one is a file, a line here and a line in dataset.cpp.
extern const Dataset kDigits;
extern const Dataset kFashionMnist;
extern const Dataset kMnist;
extern const Dataset kCifar10;
extern const Dataset kCifar100;

}  // namespace actforge
