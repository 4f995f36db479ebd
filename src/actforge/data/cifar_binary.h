#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "actforge/data/image_set.h"

namespace actforge {

// What a file of CIFAR's binary version must hold.
struct CifarExpected {
  std::size_t count = 0;   // of images
  std::size_t labels = 1;  // bytes of labels before each image: CIFAR-100 has two, the coarse one first
  std::size_t label = 0;   // which of them counts
};

// Appends the images of a file to the set: for each its labels, then the pixels plane by plane, red first. Images of
// the set's shape, to the byte, or an Error (kBadInput), in which `origin` names the file.
void append_cifar(std::span<const std::uint8_t> file, const CifarExpected& expected, const std::string& origin,
                  ImageSet& set);

}  // namespace actforge
