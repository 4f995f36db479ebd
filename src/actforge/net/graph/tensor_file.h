#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "actforge/net/graph/shape.h"

namespace actforge {

struct NamedTensor {
  std::string name;
  Shape shape = {};
  std::vector<float> values = {};
};

struct TensorFile {
  std::map<std::string, std::string> metadata = {};
  std::vector<NamedTensor> tensors = {};
};

// Files in the safetensors format, which most frameworks read: the length of a JSON header in eight bytes, the header,
// then the numbers. Of its types F32 alone. A file appears only when it is whole. Throws Error (kStorage).
void write_tensor_file(const std::string& path, const TensorFile& file);
// Throws Error (kBadInput) where the file is not what it should be.
TensorFile read_tensor_file(const std::string& path);
// The same from memory.
TensorFile parse_tensor_file(std::string_view bytes);

}  // namespace actforge
