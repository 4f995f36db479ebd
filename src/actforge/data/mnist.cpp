#include <array>

#include "actforge/data/idx_dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

}  // namespace

Dataset mnist_dataset() {
  Dataset row = mnist_form(kClasses);
  row.name = "mnist";
  row.summary = "handwritten digits in grey, 28 by 28 (LeCun, Cortes and Burges, 1998)";
  row.get_with = "scripts/fetch-data mnist";
  return row;
}

}  // namespace actforge
