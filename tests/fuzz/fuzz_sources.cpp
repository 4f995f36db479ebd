// Any bytes, read as each kind of file that data may be in, either give a sound data set or are refused with the name
// of the file. The first byte chooses the reader.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "actforge/base/error.h"
#include "actforge/data/source/array_source.h"
#include "actforge/data/source/image.h"
#include "actforge/data/source/table.h"

namespace {

using namespace actforge;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_sound(const ImageSet& set) {
  require(set.stored() == set.size() * set.shape.size());
  for (const int label : set.labels) require(label >= 0 && label < set.classes);
  for (const float value : set.values) require(!std::isinf(value));
}

void require_sound(const SourceData& data) {
  for (const ImageSet* set : {&data.train, &data.validation, &data.test}) require_sound(*set);
  require(data.class_names.size() == static_cast<std::size_t>(data.train.classes));
}

void require_sound(const NamedArray& array) {
  require(array.bytes.size() == array.size() * array.width);
  if (array.size() == 0) return;
  array.is_text() ? require(array.text(array.size() - 1).size() <= 4 * array.width)
                  : static_cast<void>(array.number(array.size() - 1));
}

void read_npy(std::string_view file) { require_sound(parse_npy(file, "file")); }

void read_npz(std::string_view file) {
  const std::vector<NamedArray> arrays = parse_npz(file, "file");
  for (const NamedArray& array : arrays) require_sound(array);
  require_sound(source_of_arrays(arrays, {}, "file"));
}

void read_safetensors(std::string_view file) {
  const std::vector<NamedArray> arrays = parse_safetensors(file, "file");
  for (const NamedArray& array : arrays) require_sound(array);
  require_sound(source_of_arrays(arrays, {}, "file"));
}

void read_table(std::string_view file) {
  require_sound(source_of_tables({{.origin = "file", .text = std::string(file)}}, {}));
}

void read_tables(std::string_view file) {
  const std::size_t half = file.find('\f');  // between two parts
  if (half == std::string_view::npos) return;
  require_sound(
      source_of_tables({{.origin = "file", .text = std::string(file.substr(0, half))},
                        {.part = SplitPart::kTest, .origin = "file", .text = std::string(file.substr(half + 1))}},
                       {.missing = "drop"}));
}

void read_image(std::string_view file) {
  constexpr std::size_t kLargest = 4096;  // a picture of a gigabyte is nothing to try a thousand times
  const Image image = decode_image(file, "file");
  const auto size = static_cast<std::size_t>(image.height) * static_cast<std::size_t>(image.width);
  require(image.channels == 1 || image.channels == 3);
  require(image.pixels.size() == size * static_cast<std::size_t>(image.channels));
  if (image.height > 0 && image.width > 0 && size < kLargest) resize_image(image, 3, 5, true);
}

constexpr void (*kReaders[])(std::string_view) = {read_npy,   read_npz,    read_safetensors,
                                                  read_table, read_tables, read_image};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto reader = kReaders[data[0] % std::size(kReaders)];
  try {
    reader({reinterpret_cast<const char*>(data + 1), size - 1});
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kBadInput);
    require(std::string_view(error.what()).starts_with("file"));
  }
  return 0;
}
