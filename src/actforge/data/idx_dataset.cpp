#include "actforge/data/idx_dataset.h"

#include <array>

#include "actforge/data/data_files.h"
#include "actforge/data/idx.h"

namespace actforge {
namespace {

// Images first, then their labels.
constexpr std::array<std::string_view, 2> kTrainFiles = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"};
constexpr std::array<std::string_view, 2> kTestFiles = {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

ImageSet load_idx(const Dataset& row, Part part) {
  const std::vector<std::string> paths = find_part(row, part);
  const IdxExpected expected{
      .count = row.count(part), .height = row.shape.height, .width = row.shape.width, .classes = row.classes()};
  const auto images = [&] { return read_data_file(paths[0], expected.image_file_size()); };
  const auto labels = [&] { return read_data_file(paths[1], expected.label_file_size()); };
  return {.shape = row.shape,
          .max_value = row.max_value,
          .classes = row.classes(),
          .pixels = parse_idx_images(images(), expected, paths[0]),
          .labels = parse_idx_labels(labels(), expected, paths[1])};
}

}  // namespace

Dataset mnist_form(std::span<const std::string_view> class_names) {
  return {.name = {},
          .summary = {},
          .shape = {.channels = 1, .height = 28, .width = 28},
          .max_value = 255,
          .class_names = class_names,
          .train_count = 60'000,
          .test_count = 10'000,
          .validation = 5'000,
          .get_with = {},
          .train_files = kTrainFiles,
          .test_files = kTestFiles,
          .load = load_idx};
}

}  // namespace actforge
