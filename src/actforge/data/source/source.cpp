#include "actforge/data/source/source.h"

#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/data/split.h"

namespace actforge {

// A new format is a file with such a row, a line here and one in the table; the first that knows a path reads it.
extern const SourceFormat kTableSource;         // one CSV or TSV file
extern const SourceFormat kTableFolderSource;   // train.csv, test.csv, ...
extern const SourceFormat kNumpyArchiveSource;  // .npz
extern const SourceFormat kNumpyFolderSource;   // x_train.npy, y_train.npy, ...
extern const SourceFormat kSafetensorsSource;
extern const SourceFormat kIdxSource;
extern const SourceFormat kCifarSource;
extern const SourceFormat kImageFolderSource;

std::span<const SourceFormat* const> source_formats() {
  static constexpr const SourceFormat* kFormats[] = {&kTableSource,       &kNumpyArchiveSource, &kSafetensorsSource,
                                                     &kNumpyFolderSource, &kIdxSource,          &kCifarSource,
                                                     &kTableFolderSource, &kImageFolderSource};
  return kFormats;
}

std::vector<bool> choose_test(std::span<const int> labels, int classes, const SourceOptions& options) {
  const auto count = static_cast<std::size_t>(std::llround(options.test * static_cast<double>(labels.size())));
  const Split split =
      balanced_split(labels, classes, {.validation = count, .seed = options.seed, .in_proportion = true});
  std::vector<bool> is_test(labels.size());
  for (const std::uint32_t index : split.validation) is_test[index] = true;
  return is_test;
}

Finding test_finding(std::size_t count, const SourceOptions& options) {
  if (count == 0) return {"test part", "none"};
  return {"test part", number_text(options.test) + " of each class, drawn with seed " + std::to_string(options.seed)};
}

void hold_out_test(SourceData& data, const SourceOptions& options) {
  if (data.test.size() > 0) return;
  const std::vector<bool> is_test = choose_test(data.train.labels, data.train.classes, options);
  ImageSet train = empty_like(data.train), test = empty_like(data.train);
  for (std::size_t i = 0; i < data.train.size(); ++i) append_image(is_test[i] ? test : train, data.train, i);
  data.train = std::move(train);
  data.test = std::move(test);
  data.findings.push_back(test_finding(data.test.size(), options));
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

ImageSet empty_like(const ImageSet& set) {
  return {.shape = set.shape,
          .max_value = set.max_value,
          .classes = set.classes,
          .pixels = {},
          .labels = {},
          .values = {},
          .fixed = set.fixed};
}

void append_image(ImageSet& set, const ImageSet& from, std::size_t index) {
  set.labels.push_back(from.labels[index]);
  if (from.has_values()) {
    const auto numbers = from.numbers(index);
    set.values.insert(set.values.end(), numbers.begin(), numbers.end());
  } else {
    const auto image = from.image(index);
    set.pixels.insert(set.pixels.end(), image.begin(), image.end());
  }
}

}  // namespace actforge
