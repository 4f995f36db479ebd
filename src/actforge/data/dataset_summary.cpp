#include "actforge/data/dataset_summary.h"

namespace actforge {

ImagesByClass images_by_class(const ImageSet& set, std::span<const std::uint32_t> images) {
  ImagesByClass lists(static_cast<std::size_t>(set.classes));
  for (const std::uint32_t image : images) lists[static_cast<std::size_t>(set.labels[image])].push_back(image);
  return lists;
}

DatasetSummary summarise(const Dataset& row, const TrainingSplit& wanted) {
  DatasetSummary summary = {.images = load(row, Part::kTrain), .split = {}, .train = {}, .validation = {}, .stats = {}};
  summary.split = split_training_part(row, summary.images, wanted);
  summary.train = images_by_class(summary.images, summary.split.train);
  summary.validation = images_by_class(summary.images, summary.split.validation);
  summary.stats = channel_stats(summary.images, summary.split.train);
  return summary;
}

}  // namespace actforge
