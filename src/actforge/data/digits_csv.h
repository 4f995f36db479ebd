#pragma once

#include <string>
#include <string_view>

#include "actforge/data/image_set.h"

namespace actforge {

// Appends rows of comma-separated numbers, each the pixels of an image and then its label, to the set. A row that does
// not fit the set's shape, its largest value or its classes is an Error (kBadInput), which names `origin` and the line.
void append_digits(std::string_view text, const std::string& origin, ImageSet& set);

}  // namespace actforge
