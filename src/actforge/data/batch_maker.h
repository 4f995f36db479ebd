#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "actforge/data/batch.h"
#include "actforge/data/image_set.h"
#include "actforge/data/normalisation.h"

namespace actforge {

// What is done to a training image at random.
struct Augmentation {
  bool flip = false;  // left and right change places, for every second image
  int pad = 0;        // zeros on each side, from which a crop of the image's own size is taken anywhere
};

// Where the crop of one image begins within the padded image, and whether it is then flipped.
struct Crop {
  bool flipped = false;
  int down = 0;
  int right = 0;
};

// Turns bytes, or other numbers, into floats as a network wants them. Thread-safe; the set must outlive it.
class BatchMaker {
 public:
  BatchMaker(const ImageSet& set, const Normalisation& normalisation, const Augmentation& augmentation);

  // The images in this order, of which the first has this position within the epoch: what is done to an image depends
  // on its position and the epoch's seed alone.
  void make(std::span<const std::uint32_t> images, std::size_t first_position, std::uint64_t epoch_seed,
            Batch& batch) const;

 private:
  using Table = std::array<float, 256>;

  Crop draw(std::uint64_t epoch_seed, std::size_t position) const;
  template <class Value>
  void write_image(std::span<const Value> image, const Crop& placement, float* target) const;
  void write_pixels(const std::uint8_t* from, int count, bool flipped, float* target) const;
  void write_pixels(const float* from, int count, bool flipped, float* target) const;

  const ImageSet& set_;
  Augmentation augmentation_;
  Normalisation normalisation_;
  std::vector<Table> tables_;  // for each channel what becomes of a byte; none for numbers that are not bytes
};

}  // namespace actforge
