#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace actforge {

// An array of a file of NumPy or of safetensors, its elements in C order as the file has them.
struct NamedArray {
  enum class Kind : std::uint8_t { kUnsigned, kSigned, kFloat, kBfloat, kBytes, kUnicode };

  std::string name = {};
  Kind kind = Kind::kFloat;
  std::size_t width = 4;  // bytes of an element
  bool big_endian = false;
  std::vector<std::size_t> shape = {};
  std::string bytes = {};  // size() * width

  std::size_t size() const;
  bool is_text() const { return kind == Kind::kBytes || kind == Kind::kUnicode; }
  bool is_byte() const { return kind == Kind::kUnsigned && width == 1; }
  // Of an element that is a number.
  double number(std::size_t index) const;
  // Of one that is text, in UTF-8.
  std::string text(std::size_t index) const;
};

// The number of elements, or an Error (kBadInput) where `width` bytes for each are not `available` in all.
std::size_t checked_count(const std::vector<std::size_t>& shape, std::size_t width, std::size_t available,
                          const std::string& origin);

// Each throws Error (kBadInput) with "`origin`: why" for bytes that are no such file.
NamedArray parse_npy(std::string_view file, const std::string& origin);
std::vector<NamedArray> parse_npz(std::string_view file, const std::string& origin);
std::vector<NamedArray> parse_safetensors(std::string_view file, const std::string& origin);

}  // namespace actforge
