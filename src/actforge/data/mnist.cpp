#include <array>

#include "actforge/data/dataset.h"
#include "actforge/data/idx_dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

}  // namespace

Dataset mnist_dataset() {
  return {.name = "mnist",
          .summary = "handwritten digits in grey, 28 by 28 (LeCun, Cortes and Burges, 1998)",
          .shape = {.channels = 1, .height = 28, .width = 28},
          .max_value = 255,
          .class_names = kClasses,
          .train_count = 60'000,
          .test_count = 10'000,
          .validation = 5'000,
          .get_with = "scripts/fetch-data mnist",
          .train_files = kIdxTrainFiles,
          .test_files = kIdxTestFiles,
          .load = load_idx};
}

}  // namespace actforge
