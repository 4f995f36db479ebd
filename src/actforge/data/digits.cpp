#include <array>

#include "actforge/base/error.h"
#include "actforge/base/gzip.h"
#include "actforge/data/dataset.h"
#include "actforge/data/digits_csv.h"
#include "actforge/data/embedded.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 10> kClasses = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
constexpr std::size_t kTextSize = 264'712;

// There is no official split: every fifth row is a test image.
bool is_in(Part part, std::size_t row) { return (row % 5 == 4) == (part == Part::kTest); }

ImageSet load_digits(const Dataset& row, Part part) {
  const std::string origin = "digits.csv.gz";
  const std::vector<std::uint8_t> text = gunzip(embedded_digits(), kTextSize, origin);
  ImageSet all{.shape = row.shape, .max_value = row.max_value, .classes = row.classes(), .pixels = {}, .labels = {}};
  append_digits({reinterpret_cast<const char*>(text.data()), text.size()}, origin, all);
  ImageSet set{.shape = row.shape, .max_value = row.max_value, .classes = row.classes(), .pixels = {}, .labels = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_in(part, i)) continue;
    set.labels.push_back(all.labels[i]);
    set.pixels.insert(set.pixels.end(), all.image(i).begin(), all.image(i).end());
  }
  if (set.size() != row.count(part)) {
    throw Error(ErrorCode::kBadInput, origin + ": " + std::to_string(set.size()) + " images of this part, not " +
                                          std::to_string(row.count(part)));
  }
  return set;
}

}  // namespace

// The test part of UCI's "Optical Recognition of Handwritten Digits", which is what scikit-learn calls its digits.
Dataset digits_dataset() {
  return {.name = "digits",
          .summary = "handwritten digits in 17 shades of grey, 8 by 8 (UCI, 1998)",
          .shape = {.channels = 1, .height = 8, .width = 8},
          .max_value = 16,
          .class_names = kClasses,
          .train_count = 1'438,
          .test_count = 359,
          .validation = 300,
          .get_with = {},
          .train_files = {},
          .test_files = {},
          .load = load_digits};
}

}  // namespace actforge
