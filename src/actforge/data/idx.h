#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actforge/data/image_set.h"

namespace actforge {

// What a pair of IDX files, the format of MNIST, must hold.
struct IdxExpected {
  std::size_t count = 0;
  int height = 1;
  int width = 1;
  int classes = 1;

  std::size_t image_file_size() const {
    return 16 + count * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  }
  std::size_t label_file_size() const { return 8 + count; }
};

// What the header of a file of images says; of one class.
IdxExpected idx_images_header(const std::vector<std::uint8_t>& file, const std::string& origin);

// The pixels or labels of a whole file. Anything but what is expected, to the byte, is an Error (kBadInput), in which
// `origin` names the file.
std::vector<std::uint8_t> parse_idx_images(std::vector<std::uint8_t> file, const IdxExpected& expected,
                                           const std::string& origin);
std::vector<int> parse_idx_labels(const std::vector<std::uint8_t>& file, const IdxExpected& expected,
                                  const std::string& origin);

}  // namespace actforge
