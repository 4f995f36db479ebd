#pragma once

#include <string>
#include <string_view>

namespace actforge {

// Puts `bytes` into the file, whole or not at all: a reader never sees half of it, and if anything fails the old file
// is still there. Links are followed. Throws Error (kStorage).
void write_file(const std::string& path, std::string_view bytes);

}  // namespace actforge
