#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "actforge/data/image_set.h"

namespace actforge {

// Appends the images of a file of CIFAR's binary version to the set: for each a byte for the label, then the pixels
// plane by plane, red first. `count` images of the set's shape, to the byte, or an Error (kBadInput), in which `origin`
// names the file.
void append_cifar(std::span<const std::uint8_t> file, std::size_t count, const std::string& origin, ImageSet& set);

}  // namespace actforge
