#include "actforge/data/batch_loader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "actforge/base/error.h"
#include "actforge/data/shuffle.h"

namespace actforge {
namespace {

// Everything that reads the set relies on this.
void check(const ImageSet& set, std::span<const std::uint32_t> images, const BatchOptions& options) {
  if (set.stored() != set.size() * set.shape.size()) {
    throw Error(ErrorCode::kBadInput,
                "the set has " + std::to_string(set.size()) + " labels and pixels for another " + "number of images");
  }
  if (options.batch_size == 0) throw Error(ErrorCode::kBadInput, "a batch has at least one image");
  for (const std::uint32_t image : images) {
    if (image < set.size()) continue;
    throw Error(ErrorCode::kBadInput,
                "there is no image " + std::to_string(image) + " in a set of " + std::to_string(set.size()));
  }
}

}  // namespace

BatchLoader::BatchLoader(const ImageSet& set, std::vector<std::uint32_t> images, const Normalisation& normalisation,
                         const BatchOptions& options)
    : options_((check(set, images, options), options)),
      maker_(set, normalisation, options.augmentation),
      images_(std::move(images)),
      prefetcher_([this](std::size_t number, Batch& batch) { make(number, batch); }, options.threads,
                  options.prefetch) {}

std::size_t BatchLoader::batches() const { return (images_.size() + options_.batch_size - 1) / options_.batch_size; }

void BatchLoader::start(std::uint64_t epoch) {
  prefetcher_.cancel();
  order_ = images_;
  Random random(options_.seed, epoch, "shuffle");
  if (options_.shuffle) shuffle(order_, random);
  epoch_seed_ = Random(options_.seed, epoch, "augmentation").next();
  prefetcher_.start(batches());
}

void BatchLoader::make(std::size_t number, Batch& batch) const {
  const std::size_t first = number * options_.batch_size;
  const std::size_t size = std::min(options_.batch_size, order_.size() - first);
  maker_.make(std::span(order_).subspan(first, size), first, epoch_seed_, batch);
}

}  // namespace actforge
