#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace actforge {

// All bytes of a file. Nothing where there is none, where it is not a plain file (a pipe would wait for a writer
// and a device may never end), where it is larger than that, or cannot be read.
std::optional<std::string> read_file(const std::string& path, std::uintmax_t largest = std::uintmax_t{1} << 30);

}  // namespace actforge
