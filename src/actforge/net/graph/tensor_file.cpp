#include "actforge/net/graph/tensor_file.h"

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"

namespace actforge {
namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // as the format's own reader allows

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

std::string_view bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string header_text(const TensorFile& file) {
  Json header = {{"__metadata__", file.metadata}};
  std::size_t at = 0;
  for (const NamedTensor& tensor : file.tensors) {
    const std::size_t end = at + bytes_of(tensor.values).size();
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // so that the numbers are aligned
  return text;
}

std::vector<std::int64_t> whole_numbers(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) refuse(std::string("a tensor has no list '") + key + "'");
  std::vector<std::int64_t> numbers;
  for (const Json& number : *found) {
    if (!number.is_number_integer() || number.get<std::int64_t>() < 0) {
      refuse(std::string("'") + key + "' holds what is not a whole number");
    }
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

NamedTensor read_tensor(const std::string& name, const Json& json, std::string_view data) {
  if (!json.is_object() || json.value("dtype", Json()) != "F32") refuse("tensor '" + name + "' is not of type F32");
  NamedTensor tensor = {.name = name, .shape = whole_numbers(json, "shape")};
  const std::vector<std::int64_t> offsets = whole_numbers(json, "data_offsets");
  const std::int64_t count = element_count(tensor.shape);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || static_cast<std::uint64_t>(offsets[1]) > data.size() ||
      offsets[1] - offsets[0] != count * static_cast<std::int64_t>(sizeof(float))) {
    refuse("tensor '" + name + "' does not lie where the header says");
  }
  tensor.values.resize(static_cast<std::size_t>(count));
  std::memcpy(tensor.values.data(), data.data() + offsets[0], tensor.values.size() * sizeof(float));
  return tensor;
}

}  // namespace

void write_tensor_file(const std::string& path, const TensorFile& file) {
  const std::string header = header_text(file);
  const std::uint64_t length = header.size();
  AtomicFile out(path);
  out.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  out.write(header);
  for (const NamedTensor& tensor : file.tensors) out.write(bytes_of(tensor.values));
  out.commit();
}

TensorFile parse_tensor_file(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() >= kLengthBytes) std::memcpy(&length, bytes.data(), kLengthBytes);
  if (bytes.size() < kLengthBytes || length > bytes.size() - kLengthBytes || length > kLongestHeader) {
    refuse("it is not a safetensors file, or it is truncated");
  }
  // The format nests three deep; the parser itself knows no limit.
  constexpr int kDeepest = 4;
  const auto callback = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) refuse("its header is too deeply nested");
    return true;
  };
  const Json header = Json::parse(bytes.substr(kLengthBytes, length), callback, false);
  if (!header.is_object()) refuse("its header is not JSON");
  const std::string_view data = bytes.substr(kLengthBytes + length);
  TensorFile file;
  std::size_t total = 0;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") {
      if (!json.is_object()) refuse("its metadata is not an object");
      for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) refuse("its metadata '" + key + "' is not text");
        file.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    file.tensors.push_back(read_tensor(name, json, data));
    // Tensors share nothing, so together they have no more than the file: no small file becomes large in memory.
    total += file.tensors.back().values.size() * sizeof(float);
    if (total > data.size()) refuse("its tensors overlap");
  }
  if (total != data.size()) refuse("it has bytes that belong to no tensor");
  return file;
}

TensorFile read_tensor_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse("'" + path + "' is not a file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) refuse("'" + path + "' cannot be read");
  try {
    return parse_tensor_file(bytes.view());
  } catch (const Error& problem) {
    refuse("'" + path + "': " + problem.what());
  }
}

}  // namespace actforge
