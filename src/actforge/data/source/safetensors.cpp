// The safetensors format: the length of a JSON header in eight bytes, the header, then the numbers. The room net reads
// files with weights, which are all float32 (net/graph/tensor_file.h); data are of any type.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/data/source/named_array.h"

namespace actforge {
namespace {

using Json = nlohmann::json;

struct TypeRow {
  std::string_view name;
  NamedArray::Kind kind;
  std::size_t width;
};
using Kind = NamedArray::Kind;
constexpr TypeRow kTypes[] = {{"BOOL", Kind::kUnsigned, 1}, {"U8", Kind::kUnsigned, 1},  {"U16", Kind::kUnsigned, 2},
                              {"U32", Kind::kUnsigned, 4},  {"U64", Kind::kUnsigned, 8}, {"I8", Kind::kSigned, 1},
                              {"I16", Kind::kSigned, 2},    {"I32", Kind::kSigned, 4},   {"I64", Kind::kSigned, 8},
                              {"F16", Kind::kFloat, 2},     {"F32", Kind::kFloat, 4},    {"F64", Kind::kFloat, 8},
                              {"BF16", Kind::kBfloat, 2}};

NamedArray read_array(const std::string& name, const Json& json, std::string_view data) {
  const std::string where = "array '" + name + "'", type = json.at("dtype").get<std::string>();
  const auto row = std::ranges::find(kTypes, std::string_view(type), &TypeRow::name);
  if (row == std::end(kTypes)) throw Error(ErrorCode::kBadInput, where + ": numbers of type " + type + " are not read");
  NamedArray array = {.name = name, .kind = row->kind, .width = row->width};
  for (const Json& extent : json.at("shape")) {
    if (!extent.is_number_unsigned()) throw Error(ErrorCode::kBadInput, where + ": its shape cannot be read");
    array.shape.push_back(extent.get<std::size_t>());
  }
  const Json &begin = json.at("data_offsets").at(0), &end = json.at("data_offsets").at(1);
  if (!begin.is_number_unsigned() || !end.is_number_unsigned() || begin > end || end.get<std::size_t>() > data.size()) {
    throw Error(ErrorCode::kBadInput, where + ": does not lie where the header says");
  }
  array.bytes = std::string(data.substr(begin.get<std::size_t>(), end.get<std::size_t>() - begin.get<std::size_t>()));
  checked_count(array.shape, array.width, array.bytes.size(), where);
  return array;
}

}  // namespace

std::vector<NamedArray> parse_safetensors(std::string_view file, const std::string& origin) {
  constexpr std::size_t kLengthBytes = 8;
  const auto fail = [&](const std::string& why) { throw Error(ErrorCode::kBadInput, origin + ": " + why); };
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0 && file.size() >= kLengthBytes;) {
    length = length << 8 | static_cast<unsigned char>(file[i]);
  }
  if (file.size() < kLengthBytes || length > file.size() - kLengthBytes) {
    fail("not a safetensors file, or truncated");
  }
  // The format nests three deep; the parser itself knows no limit.
  constexpr int kDeepest = 4;
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kDeepest;
    return !too_deep;
  };
  const Json header = Json::parse(file.substr(kLengthBytes, length), watch, false);
  if (too_deep || !header.is_object()) fail("its header cannot be read");
  const std::string_view data = file.substr(kLengthBytes + length);
  std::vector<NamedArray> arrays;
  std::size_t total = 0;
  try {
    for (const auto& [name, json] : header.items()) {
      if (name == "__metadata__") continue;
      arrays.push_back(read_array(name, json, data));
      // Arrays share nothing, so together they have no more than the file: no small file becomes large in memory.
      total += arrays.back().bytes.size();
      if (total > data.size()) fail("its arrays overlap");
    }
  } catch (const Json::exception&) {
    fail("its header is not as the format says");
  } catch (const Error& error) {
    fail(error.what());
  }
  return arrays;
}

}  // namespace actforge
