#include <array>

#include "actforge/data/dataset.h"
#include "actforge/data/idx_dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"T-shirt/top", "trouser", "pullover", "dress", "coat",
                                                       "sandal",      "shirt",   "sneaker",  "bag",   "ankle boot"};

}  // namespace

// Debian's package has the files as they were published.
Dataset fashion_mnist_dataset() {
  return {.name = "fashion-mnist",
          .summary = "articles of clothing in grey, 28 by 28 (Zalando, 2017)",
          .shape = {.channels = 1, .height = 28, .width = 28},
          .max_value = 255,
          .class_names = kClasses,
          .train_count = 60'000,
          .test_count = 10'000,
          .validation = 5'000,
          .get_with = "scripts/setup, or apt-get install dataset-fashion-mnist",
          .train_files = kIdxTrainFiles,
          .test_files = kIdxTestFiles,
          .load = load_idx};
}

}  // namespace actforge
