// Any bytes, read as each kind of data file, either give a set that fits what was expected or are refused with the name
// of the file. The first byte chooses the reader.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/gzip.h"
#include "actforge/data/cifar_binary.h"
#include "actforge/data/digits_csv.h"
#include "actforge/data/idx.h"

namespace {

using namespace actforge;
using Bytes = std::vector<std::uint8_t>;

constexpr IdxExpected kExpected{.count = 3, .height = 2, .width = 2, .classes = 10};

void require(bool holds) {
  if (!holds) std::abort();
}

void require_sound(const ImageSet& set) {
  require(set.pixels.size() == set.size() * set.shape.size());
  for (const std::uint8_t pixel : set.pixels) require(pixel <= set.max_value);
  for (const int label : set.labels) require(label >= 0 && label < set.classes);
}

void read_images(const Bytes& file) { require(parse_idx_images(file, kExpected, "file").size() == 12); }

void read_labels(const Bytes& file) {
  const std::vector<int> labels = parse_idx_labels(file, kExpected, "file");
  require(labels.size() == 3);
  for (const int label : labels) require(label >= 0 && label < 10);
}

void read_cifar(const Bytes& file) {
  ImageSet set{
      .shape = {.channels = 3, .height = 1, .width = 2}, .max_value = 255, .classes = 10, .pixels = {}, .labels = {}};
  append_cifar(file, {.count = 2}, "file", set);
  require(set.size() == 2);
  require_sound(set);
}

void read_digits(const Bytes& file) {
  ImageSet set{
      .shape = {.channels = 1, .height = 1, .width = 3}, .max_value = 16, .classes = 10, .pixels = {}, .labels = {}};
  append_digits({reinterpret_cast<const char*>(file.data()), file.size()}, "file", set);
  require_sound(set);
}

void read_archive(const Bytes& file) {
  constexpr std::size_t kLimit = 28;
  const Bytes bytes = gunzip(file, kLimit, "file");
  require(bytes.size() <= kLimit);
  read_images(bytes);
}

constexpr void (*kReaders[])(const Bytes&) = {read_images, read_labels, read_cifar, read_digits, read_archive};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto reader = kReaders[data[0] % std::size(kReaders)];
  try {
    reader(Bytes(data + 1, data + size));
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kBadInput);
    const std::string_view what = error.what();
    require(what.starts_with("file: ") || what.starts_with("file, line "));
  }
  return 0;
}
