#include "actforge/onnx/tensor.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/onnx/half.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;
using onnx::TensorProto;

static_assert(std::endian::native == std::endian::little, "the raw bytes of ONNX are little endian");

[[noreturn]] void refuse(const TensorProto& tensor, const std::string& why) {
  throw Error(ErrorCode::kBadInput, "tensor '" + tensor.name().substr(0, 200) + "': " + why);
}

// 0: not a type of whole bytes that is known here.
std::size_t bytes_of_type(std::int32_t type) {
  switch (type) {
    case TensorProto::FLOAT:
    case TensorProto::INT32:
    case TensorProto::UINT32: return 4;
    case TensorProto::UINT8:
    case TensorProto::INT8:
    case TensorProto::BOOL: return 1;
    case TensorProto::UINT16:
    case TensorProto::INT16:
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16: return 2;
    case TensorProto::INT64:
    case TensorProto::UINT64:
    case TensorProto::DOUBLE: return 8;
    default: return 0;
  }
}

template <class Stored, class Number, class Convert>
void decode_as(std::string_view bytes, std::vector<Number>& numbers, Convert convert) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    numbers[i] = static_cast<Number>(convert(value));
  }
}

template <class Number>
void decode(std::int32_t type, std::string_view bytes, std::vector<Number>& numbers) {
  const auto same = [](auto value) { return value; };
  switch (type) {
    case TensorProto::FLOAT: return decode_as<float>(bytes, numbers, same);
    case TensorProto::DOUBLE: return decode_as<double>(bytes, numbers, same);
    case TensorProto::FLOAT16: return decode_as<std::uint16_t>(bytes, numbers, from_half);
    case TensorProto::BFLOAT16: return decode_as<std::uint16_t>(bytes, numbers, from_bfloat);
    case TensorProto::INT8: return decode_as<std::int8_t>(bytes, numbers, same);
    case TensorProto::UINT8:
    case TensorProto::BOOL: return decode_as<std::uint8_t>(bytes, numbers, same);
    case TensorProto::INT16: return decode_as<std::int16_t>(bytes, numbers, same);
    case TensorProto::UINT16: return decode_as<std::uint16_t>(bytes, numbers, same);
    case TensorProto::INT32: return decode_as<std::int32_t>(bytes, numbers, same);
    case TensorProto::UINT32: return decode_as<std::uint32_t>(bytes, numbers, same);
    case TensorProto::INT64: return decode_as<std::int64_t>(bytes, numbers, same);
    case TensorProto::UINT64: return decode_as<std::uint64_t>(bytes, numbers, same);
    default: return;
  }
}

template <class Number, class Field, class Convert>
std::vector<Number> from_field(const TensorProto& tensor, const Field& field, Convert convert) {
  const std::int64_t size = tensor_size(tensor);
  if (field.size() != size) {
    refuse(tensor,
           "it has " + std::to_string(field.size()) + " numbers, but its extents ask for " + std::to_string(size));
  }
  std::vector<Number> numbers;
  numbers.reserve(static_cast<std::size_t>(size));
  for (const auto value : field) numbers.push_back(static_cast<Number>(convert(value)));
  return numbers;
}

template <class Number>
std::vector<Number> from_typed_field(const TensorProto& tensor) {
  const auto same = [](auto value) { return value; };
  switch (tensor.data_type()) {
    case TensorProto::FLOAT: return from_field<Number>(tensor, tensor.float_data(), same);
    case TensorProto::DOUBLE: return from_field<Number>(tensor, tensor.double_data(), same);
    case TensorProto::INT64: return from_field<Number>(tensor, tensor.int64_data(), same);
    case TensorProto::UINT32:
    case TensorProto::UINT64: return from_field<Number>(tensor, tensor.uint64_data(), same);
    case TensorProto::FLOAT16:
      return from_field<Number>(tensor, tensor.int32_data(),
                                [](std::int32_t bits) { return from_half(static_cast<std::uint16_t>(bits)); });
    case TensorProto::BFLOAT16:
      return from_field<Number>(tensor, tensor.int32_data(),
                                [](std::int32_t bits) { return from_bfloat(static_cast<std::uint16_t>(bits)); });
    default: return from_field<Number>(tensor, tensor.int32_data(), same);
  }
}

// ---- numbers in another file

struct Place {
  fs::path path;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length = {};
};

std::uint64_t parse_whole(const TensorProto& tensor, const std::string& text) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value > std::uint64_t{1} << 60) {
    refuse(tensor, "'" + text.substr(0, 40) + "' is not a place in a file");
  }
  return value;
}

// An untrusted model must not name arbitrary files of the machine, directly or through a link.
fs::path path_inside(const TensorProto& tensor, const std::string& location, const std::string& folder) {
  const fs::path given = location;
  bool leaves = location.empty() || given.is_absolute() || location.find('\0') != std::string::npos;
  for (const fs::path& part : given) leaves = leaves || part == "..";
  if (leaves) refuse(tensor, "its numbers must be in a file beside the model, not in '" + location + "'");
  std::error_code error;
  const fs::path base = fs::canonical(folder.empty() ? "." : folder, error);
  const fs::path path = error ? fs::path() : fs::canonical(base / given, error);
  if (error) refuse(tensor, "there is no file '" + location + "' beside the model for its numbers");
  const auto [base_end, path_at] = std::mismatch(base.begin(), base.end(), path.begin(), path.end());
  if (base_end != base.end()) refuse(tensor, "'" + location + "' is a link that leaves the model's folder");
  if (!fs::is_regular_file(path, error)) refuse(tensor, "'" + location + "' is not a file");
  return path;
}

Place external_place(const TensorProto& tensor, const std::string& folder) {
  Place place;
  std::string location;
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") place.offset = parse_whole(tensor, entry.value());
    if (entry.key() == "length") place.length = parse_whole(tensor, entry.value());
  }
  place.path = path_inside(tensor, location, folder);
  return place;
}

std::size_t stored_bytes(const TensorProto& tensor) {
  const std::size_t width = bytes_of_type(tensor.data_type());
  if (width == 0) refuse(tensor, "its type (number " + std::to_string(tensor.data_type()) + ") is not known here");
  return static_cast<std::size_t>(tensor_size(tensor)) * width;
}

template <class Number>
std::vector<Number> all_numbers(const TensorProto& tensor, const std::string& folder) {
  const std::size_t bytes = stored_bytes(tensor);
  if (is_external(tensor)) {
    std::string content;
    read_external(tensor, folder, [&](std::string_view piece) { content += piece; });
    if (content.size() != bytes) refuse(tensor, "its file has a wrong number of bytes for it");
    std::vector<Number> numbers(static_cast<std::size_t>(tensor_size(tensor)));
    decode(tensor.data_type(), content, numbers);
    return numbers;
  }
  if (!tensor.has_raw_data()) return from_typed_field<Number>(tensor);
  if (tensor.raw_data().size() != bytes) {
    refuse(tensor, "it has " + std::to_string(tensor.raw_data().size()) + " bytes, but its extents ask for " +
                       std::to_string(bytes));
  }
  std::vector<Number> numbers(static_cast<std::size_t>(tensor_size(tensor)));
  decode(tensor.data_type(), tensor.raw_data(), numbers);
  return numbers;
}

template <class Stored, class Convert>
std::string encode_as(const std::vector<float>& values, Convert convert) {
  std::string bytes(values.size() * sizeof(Stored), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Stored value = convert(values[i]);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  return bytes;
}

}  // namespace

Shape tensor_dims(const TensorProto& tensor) {
  if (tensor.dims_size() > 64) refuse(tensor, "it has too many extents");
  return Shape(tensor.dims().begin(), tensor.dims().end());
}

std::int64_t tensor_size(const TensorProto& tensor) {
  std::int64_t size = 1;
  for (const std::int64_t extent : tensor_dims(tensor)) {
    if (extent < 0) refuse(tensor, "it has a negative extent");
    if (extent > 0 && size > kMaxElements / extent) refuse(tensor, "it is too large");
    size *= extent;
  }
  return size;
}

bool is_float_type(std::int32_t type) {
  return type == TensorProto::FLOAT || type == TensorProto::FLOAT16 || type == TensorProto::BFLOAT16 ||
         type == TensorProto::DOUBLE;
}

bool is_number_type(std::int32_t type) { return bytes_of_type(type) != 0; }

bool is_external(const TensorProto& tensor) { return tensor.data_location() == TensorProto::EXTERNAL; }

std::vector<float> tensor_floats(const TensorProto& tensor, const std::string& folder) {
  return all_numbers<float>(tensor, folder);
}

std::vector<double> tensor_numbers(const TensorProto& tensor, const std::string& folder) {
  return all_numbers<double>(tensor, folder);
}

std::string float_bytes(std::int32_t type, const std::vector<float>& values) {
  switch (type) {
    case TensorProto::FLOAT: return encode_as<float>(values, [](float value) { return value; });
    case TensorProto::DOUBLE: return encode_as<double>(values, [](float value) { return double{value}; });
    case TensorProto::FLOAT16: return encode_as<std::uint16_t>(values, to_half);
    case TensorProto::BFLOAT16: return encode_as<std::uint16_t>(values, to_bfloat);
    default: throw Error(ErrorCode::kBadInput, "weights of type " + std::to_string(type) + " cannot be replaced");
  }
}

void set_tensor_floats(TensorProto& tensor, const std::vector<float>& values) {
  if (static_cast<std::int64_t>(values.size()) != tensor_size(tensor)) {
    refuse(tensor, std::to_string(values.size()) + " new numbers for " + std::to_string(tensor_size(tensor)));
  }
  std::string bytes = float_bytes(tensor.data_type(), values);
  if (tensor.has_raw_data()) {
    tensor.set_raw_data(std::move(bytes));
  } else if (tensor.data_type() == TensorProto::FLOAT) {
    tensor.mutable_float_data()->Assign(values.begin(), values.end());
  } else if (tensor.data_type() == TensorProto::DOUBLE) {
    tensor.mutable_double_data()->Assign(values.begin(), values.end());
  } else {
    tensor.clear_int32_data();
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, bytes.data() + 2 * i, sizeof bits);
      tensor.add_int32_data(bits);
    }
  }
}

void read_external(const TensorProto& tensor, const std::string& folder,
                   const std::function<void(std::string_view)>& take) {
  const Place place = external_place(tensor, folder);
  std::error_code error;
  const std::uint64_t size = fs::file_size(place.path, error);
  if (error || place.offset > size) refuse(tensor, "its file ends before its numbers begin");
  const std::size_t known = bytes_of_type(tensor.data_type());
  std::uint64_t left = place.length.value_or(known != 0 ? stored_bytes(tensor) : size - place.offset);
  if (left > size - place.offset) refuse(tensor, "its file ends before its numbers do");
  if (known != 0 && left != stored_bytes(tensor)) refuse(tensor, "its file has a wrong number of bytes for it");
  std::ifstream file(place.path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place.offset));
  std::string piece(std::size_t{1} << 20, '\0');
  while (left > 0) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    if (!file.read(piece.data(), static_cast<std::streamsize>(count))) refuse(tensor, "its file cannot be read");
    take(std::string_view(piece).substr(0, count));
    left -= count;
  }
}

}  // namespace actforge
