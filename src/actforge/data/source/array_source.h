#pragma once

#include <string>
#include <vector>

#include "actforge/data/source/named_array.h"
#include "actforge/data/source/source.h"

namespace actforge {

// Arrays by their names: x and y (also X, data, images, features; labels, target), or x_train, y_train, x_val, x_test
// and so on, in any order of the two words. Throws Error (kBadInput) with "`origin`: why".
SourceData source_of_arrays(const std::vector<NamedArray>& arrays, const SourceOptions& options,
                            const std::string& origin);

// Whether a name is one of these.
bool is_array_name(const std::string& name);

}  // namespace actforge
