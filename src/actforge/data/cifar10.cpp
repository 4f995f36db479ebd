#include <array>

#include "actforge/data/cifar_binary.h"
#include "actforge/data/data_files.h"
#include "actforge/data/dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"airplane", "automobile", "bird",  "cat",  "deer",
                                                       "dog",      "frog",       "horse", "ship", "truck"};
constexpr std::array<std::string_view, 5> kTrainFiles = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                                         "data_batch_4.bin", "data_batch_5.bin"};
constexpr std::array<std::string_view, 1> kTestFiles = {"test_batch.bin"};

ImageSet load_cifar(const Dataset& row, Part part) {
  const std::vector<std::string> paths = find_part(row, part);
  ImageSet set{.shape = row.shape, .max_value = row.max_value, .classes = row.classes(), .pixels = {}, .labels = {}};
  set.pixels.reserve(row.count(part) * row.shape.size());
  const std::size_t count = row.count(part) / paths.size();
  for (const std::string& path : paths) {
    append_cifar(read_data_file(path, count * (1 + row.shape.size())), {.count = count}, path, set);
  }
  return set;
}

}  // namespace

Dataset cifar10_dataset() {
  return {.name = "cifar10",
          .summary = "small photographs in colour, 32 by 32 (Krizhevsky, 2009)",
          .shape = {.channels = 3, .height = 32, .width = 32},
          .max_value = 255,
          .class_names = kClasses,
          .train_count = 50'000,
          .test_count = 10'000,
          .validation = 5'000,
          .get_with = "scripts/fetch-data cifar10",
          .train_files = kTrainFiles,
          .test_files = kTestFiles,
          .load = load_cifar};
}

}  // namespace actforge
