#include "actforge/data/dataset.h"

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/data/data_files.h"
#include "actforge/data/dataset_rows.h"

namespace actforge {
namespace {

// Made on first use: the rows are constants of other files, whose order of initialisation is not defined.
std::span<const Dataset> table() {
  static const Dataset rows[] = {kDigits, kFashionMnist, kMnist, kCifar10};
  return rows;
}

}  // namespace

std::span<const Dataset> datasets() { return table(); }

const Dataset& find_dataset(std::string_view name) {
  return find_named(table(), name, "data set", ErrorCode::kBadInput);
}

ImageSet load(const Dataset& row, Part part) { return row.load(row, part); }

std::optional<std::string> where_is(const Dataset& row) {
  if (row.get_with.empty()) return "the library itself";
  std::vector<std::string_view> files(row.train_files.begin(), row.train_files.end());
  files.insert(files.end(), row.test_files.begin(), row.test_files.end());
  return find_data_folder(row.name, files);
}

}  // namespace actforge
