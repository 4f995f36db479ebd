#include <array>

#include "actforge/data/idx_dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"T-shirt/top", "trouser", "pullover", "dress", "coat",
                                                       "sandal",      "shirt",   "sneaker",  "bag",   "ankle boot"};

}  // namespace

// Debian's package has the files as they were published.
Dataset fashion_mnist_dataset() {
  Dataset row = mnist_form(kClasses);
  row.name = "fashion-mnist";
  row.summary = "articles of clothing in grey, 28 by 28 (Zalando, 2017)";
  row.get_with = "scripts/setup, or apt-get install dataset-fashion-mnist";
  return row;
}

}  // namespace actforge
