#include "actforge/base/read_file.h"

#include <filesystem>
#include <fstream>

namespace actforge {

std::optional<std::string> read_file(const std::string& path, std::uintmax_t largest) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > largest) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file) return std::nullopt;
  return bytes;
}

}  // namespace actforge
