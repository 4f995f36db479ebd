#include "actforge/data/dataset.h"

#include <algorithm>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/data/data_files.h"
#include "actforge/data/source/opened_data.h"

namespace actforge {

// A new data set is a file with such a function, a line here and one in the table.
Dataset digits_dataset();
Dataset fashion_mnist_dataset();
Dataset mnist_dataset();
Dataset cifar10_dataset();
Dataset cifar100_dataset();

namespace {

std::span<const Dataset> table() {
  static const Dataset rows[] = {digits_dataset(), fashion_mnist_dataset(), mnist_dataset(), cifar10_dataset(),
                                 cifar100_dataset()};
  return rows;
}

// Names have no such characters; a path that does not exist is one all the same.
bool looks_like_path(std::string_view name) {
  std::error_code ignored;
  return name.find_first_of("/.?") != std::string_view::npos || std::filesystem::exists(name, ignored);
}

}  // namespace

std::span<const Dataset> datasets() { return table(); }

const Dataset& find_dataset(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Dataset& row : table()) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  if (looks_like_path(name)) return open_data(name);
  throw_unknown("data set", name, known, ErrorCode::kBadInput,
                ".\nYour own data: --data FOLDER, or a file (.csv, .npz, .safetensors)");
}

bool is_dataset_name(std::string_view name) {
  return std::ranges::any_of(table(), [&](const Dataset& row) { return row.name == name; });
}

Split split_training_part(const Dataset& row, const ImageSet& images, const TrainingSplit& wanted) {
  return balanced_split(images.labels, images.classes,
                        {.validation = wanted.validation.value_or(row.validation),
                         .subset = wanted.subset,
                         .seed = wanted.seed,
                         .held_out = images.held_out,
                         .in_proportion = row.in_proportion});
}

ImageSet load(const Dataset& row, Part part) {
  if (row.count(part) == 0) {
    throw Error(ErrorCode::kBadInput, "'" + std::string(row.name) + "' has no test part");
  }
  return row.load(row, part);
}

std::optional<std::string> where_is(const Dataset& row) {
  if (const OpenedData* opened = opened_data(row)) return opened->path();
  if (row.get_with.empty()) return "the library itself";
  std::vector<std::string_view> files(row.train_files.begin(), row.train_files.end());
  files.insert(files.end(), row.test_files.begin(), row.test_files.end());
  return find_data_folder(row.name, files);
}

}  // namespace actforge
