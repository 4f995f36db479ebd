#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actforge/data/batch.h"
#include "actforge/data/batch_maker.h"
#include "actforge/data/image_set.h"
#include "actforge/data/normalisation.h"
#include "actforge/data/prefetcher.h"

namespace actforge {

struct BatchOptions {
  std::size_t batch_size = 128;  // the last batch of an epoch has what is left
  bool shuffle = false;          // another order in every epoch; else that of the indices
  Augmentation augmentation = {};
  std::uint64_t seed = 0;    // of the order and the augmentation
  std::size_t threads = 1;   // that make batches ahead; 0 makes each when it is asked for
  std::size_t prefetch = 4;  // batches that may wait; more take memory and help where the time of a step varies
};

// The chosen images of a set, batch by batch, epoch by epoch. Every batch depends on the seed, the epoch and its place
// alone: the number of threads changes nothing. Only numbers of images are shuffled; the set is never copied, and must
// outlive the loader.
class BatchLoader {
 public:
  // Throws Error (kBadInput) for an image that is not in the set or for invalid options.
  BatchLoader(const ImageSet& set, std::vector<std::uint32_t> images, const Normalisation& normalisation,
              const BatchOptions& options);

  std::size_t images() const { return images_.size(); }
  std::size_t batches() const;  // in an epoch

  // Starts an epoch, any epoch, even in the middle of another.
  void start(std::uint64_t epoch);
  // Valid until the next call; nullptr at the end of the epoch. Rethrows exceptions of its threads.
  const Batch* next() { return prefetcher_.next(); }

 private:
  void make(std::size_t number, Batch& batch) const;

  BatchOptions options_;
  BatchMaker maker_;
  std::vector<std::uint32_t> images_;
  std::vector<std::uint32_t> order_;  // of the images in this epoch
  std::uint64_t epoch_seed_ = 0;
  Prefetcher prefetcher_;  // last: its threads use all of the above
};

}  // namespace actforge
