#include "actforge/data/dataset.h"

#include <algorithm>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/base/suggest.h"
#include "actforge/data/data_files.h"

namespace actforge {

// A new data set is a file with such a function, a line here and one in the table.
Dataset digits_dataset();
Dataset fashion_mnist_dataset();
Dataset mnist_dataset();
Dataset cifar10_dataset();

namespace {

std::span<const Dataset> table() {
  static const Dataset rows[] = {digits_dataset(), fashion_mnist_dataset(), mnist_dataset(), cifar10_dataset()};
  return rows;
}

// Other data are for other programs: this is how they take part.
constexpr std::string_view kOwnCommand =
    "Pictures in folders, and all other data, go with a training command of your own:\n"
    "  actforge search run --study mine.db --evaluate './my_train.sh {expr}'";

bool looks_like_path(std::string_view name) {
  std::error_code ignored;
  return name.find('/') != std::string_view::npos || name == "." || name == ".." ||
         std::filesystem::exists(name, ignored);
}

[[noreturn]] void refuse_path(std::string_view path) {
  std::vector<std::string_view> names;
  for (const Dataset& row : table()) names.push_back(row.name);
  std::filesystem::path folder(path);
  if (!folder.has_filename()) folder = folder.parent_path();  // of "mnist/"
  const std::string own = folder.filename().string();
  std::string message = "'" + std::string(path) + "' is no data set; --data takes the name of one: " + name_list(names);
  if (std::ranges::find(names, own) != names.end()) {
    const std::string above = folder.has_parent_path() ? folder.parent_path().string() : ".";
    message += ". The files in that folder are found by: ACTFORGE_DATA=" + above + " and --data " + own;
  } else {
    message +=
        ". A folder with the files of one of them (mnist: IDX files, cifar10: data_batch_1.bin and so on), called as "
        "it "
        "is, is found by ACTFORGE_DATA=FOLDER-ABOVE-IT and --data NAME";
  }
  throw Error(ErrorCode::kBadInput, message + ".\n" + std::string(kOwnCommand));
}

}  // namespace

std::span<const Dataset> datasets() { return table(); }

const Dataset& find_dataset(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Dataset& row : table()) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  if (looks_like_path(name)) refuse_path(name);
  throw_unknown("data set", name, known, ErrorCode::kBadInput, ".\n" + std::string(kOwnCommand));
}

ImageSet load(const Dataset& row, Part part) { return row.load(row, part); }

std::optional<std::string> where_is(const Dataset& row) {
  if (row.get_with.empty()) return "the library itself";
  std::vector<std::string_view> files(row.train_files.begin(), row.train_files.end());
  files.insert(files.end(), row.test_files.begin(), row.test_files.end());
  return find_data_folder(row.name, files);
}

}  // namespace actforge
