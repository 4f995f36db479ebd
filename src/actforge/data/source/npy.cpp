// NumPy's files: numpy/lib/format.py describes them. Objects ('O'), which are pickled Python, are refused.
#include <algorithm>
#include <charconv>
#include <numeric>

#include "actforge/base/error.h"
#include "actforge/base/zip.h"
#include "actforge/data/source/named_array.h"

namespace actforge {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargest = std::size_t{1} << 34;

[[noreturn]] void fail(const std::string& origin, const std::string& why) {
  throw Error(ErrorCode::kBadInput, origin + ": " + why);
}

// What follows "'key':" in the header, without blanks before it.
std::string_view value_of(std::string_view header, const std::string& key, const std::string& origin) {
  const std::size_t at = header.find("'" + key + "'");
  if (at == std::string_view::npos) fail(origin, "its header has no '" + key + "'");
  header.remove_prefix(at + key.size() + 2);
  header.remove_prefix(std::min(header.find_first_not_of(" :"), header.size()));
  return header;
}

void read_type(std::string_view value, const std::string& origin, NamedArray& array) {
  if (!value.starts_with('\'')) fail(origin, "arrays with named fields are not read; save one array per field");
  value.remove_prefix(1);
  const std::string_view type = value.substr(0, value.find('\''));
  std::size_t width = 0;
  const char* end = type.data() + type.size();
  if (type.size() < 3 || std::from_chars(type.data() + 2, end, width).ptr != end) width = 0;
  using Kind = NamedArray::Kind;
  const char kind = type.size() < 2 ? '?' : type[1];
  const bool is_power = width == 1 || width == 2 || width == 4 || width == 8;
  const auto set = [&](Kind of, bool fits) {
    if (!fits) fail(origin, "numbers of type '" + std::string(type) + "' are not read");
    array.kind = of;
    array.width = width;
  };
  array.big_endian = type.starts_with('>');
  switch (kind) {
    case 'b': return set(Kind::kUnsigned, width == 1);
    case 'u': return set(Kind::kUnsigned, is_power);
    case 'i': return set(Kind::kSigned, is_power);
    case 'f': return set(Kind::kFloat, is_power && width > 1);
    case 'S': return set(Kind::kBytes, width > 0 && width < 1'000'000);
    case 'U': width *= width < 1'000'000 ? 4 : 0; return set(Kind::kUnicode, width > 0);
    case 'O':
      fail(origin, "Python objects are not read: save numbers or text, such as x.astype('float32') or y.astype(str)");
    default: fail(origin, "numbers of type '" + std::string(type) + "' are not read");
  }
}

std::vector<std::size_t> read_shape(std::string_view value, const std::string& origin) {
  const std::size_t close = value.find(')');
  if (!value.starts_with('(') || close == std::string_view::npos) fail(origin, "its header has no shape");
  std::vector<std::size_t> shape;
  const char* at = value.data() + 1;
  const char* end = value.data() + close;
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::size_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    if (error != std::errc()) fail(origin, "its shape cannot be read");
    shape.push_back(extent);
    at = stop;
  }
  return shape;
}

// From Fortran's order, in which the first index runs fastest, to C's.
void to_c_order(NamedArray& array) {
  const std::size_t count = array.size(), dimensions = array.shape.size();
  std::string result(array.bytes.size(), '\0');
  std::vector<std::size_t> index(dimensions), step(dimensions, 1);
  for (std::size_t d = 1; d < dimensions; ++d) step[d] = step[d - 1] * array.shape[d - 1];
  for (std::size_t to = 0; to < count; ++to) {
    const std::size_t from = std::inner_product(index.begin(), index.end(), step.begin(), std::size_t{0});
    std::copy_n(array.bytes.data() + from * array.width, array.width, result.data() + to * array.width);
    for (std::size_t d = dimensions; d-- > 0;) {
      if (++index[d] < array.shape[d]) break;
      index[d] = 0;
    }
  }
  array.bytes = std::move(result);
}

}  // namespace

NamedArray parse_npy(std::string_view file, const std::string& origin) {
  if (!file.starts_with(kMagic) || file.size() < 10) fail(origin, "not a file of NumPy");
  const std::size_t length_bytes = file[6] == 1 ? 2 : 4, begin = 8 + length_bytes;
  if (file.size() < begin) fail(origin, "is truncated");
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(file[8 + i]);
  if (length > file.size() - begin) fail(origin, "is truncated");
  const std::string_view header = file.substr(begin, length);
  NamedArray array;
  read_type(value_of(header, "descr", origin), origin, array);
  array.shape = read_shape(value_of(header, "shape", origin), origin);
  const std::string_view rest = file.substr(begin + length);
  checked_count(array.shape, array.width, rest.size(), origin);
  array.bytes = std::string(rest);
  if (value_of(header, "fortran_order", origin).starts_with("True")) to_c_order(array);
  return array;
}

std::vector<NamedArray> parse_npz(std::string_view file, const std::string& origin) {
  std::vector<NamedArray> arrays;
  try {
    for (const ZipEntry& entry : zip_entries(file)) {
      const std::string name = entry.name.ends_with(".npy") ? entry.name.substr(0, entry.name.size() - 4) : entry.name;
      arrays.push_back(parse_npy(zip_content(file, entry, kLargest), "array '" + name + "'"));
      arrays.back().name = name;
    }
  } catch (const Error& error) {
    fail(origin, error.what());
  }
  return arrays;
}

}  // namespace actforge
