#pragma once

#include <cstdint>
#include <span>

namespace actforge {

// data/digits.csv.gz, which the build puts into the library (cmake/embed_file.cmake).
std::span<const std::uint8_t> embedded_digits();

}  // namespace actforge
