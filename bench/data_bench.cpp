// How fast training images become batches: flipped and cropped, as networks on CIFAR-10 see them, and as they are.
// Batches are checked against the definition, pixel by pixel, before they are timed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

#include "actforge/base/random.h"
#include "actforge/data/batch_loader.h"
#include "actforge/data/dataset.h"

namespace {

using namespace actforge;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "data_bench: %s\n", what.c_str());
  std::exit(1);
}

// Where a set is missing, noise of its shape takes the same time.
ImageSet load_or_make(const Dataset& row) {
  if (where_is(row)) return load(row, Part::kTrain);
  std::printf("%s is not here (%s); noise takes its place\n", std::string(row.name).c_str(),
              std::string(row.get_with).c_str());
  ImageSet set{.shape = row.shape, .max_value = row.max_value, .classes = row.classes(), .pixels = {}, .labels = {}};
  Random random(1);
  for (std::size_t i = 0; i < row.train_count * row.shape.size(); ++i) {
    set.pixels.push_back(static_cast<std::uint8_t>(random.below(static_cast<std::uint64_t>(row.max_value) + 1)));
  }
  for (std::size_t i = 0; i < row.train_count; ++i) set.labels.push_back(static_cast<int>(i % 10));
  return set;
}

// The first image of an epoch is one of the crops of the set's first image.
void check(const ImageSet& set, const Normalisation& how, const Augmentation& augmentation) {
  BatchLoader loader(set, {0}, how, {.augmentation = augmentation, .threads = 0});
  loader.start(0);
  const std::vector<float> pixels = loader.next()->pixels;
  const int pad = augmentation.pad, channels = set.shape.channels, height = set.shape.height, width = set.shape.width;
  const auto is_crop = [&](bool flipped, int down, int right) {
    for (int i = 0; i < static_cast<int>(set.shape.size()); ++i) {
      const int c = i % channels, x = i / channels % width, y = i / channels / width + down - pad;
      const int from = (flipped ? width - 1 - x : x) + right - pad;
      const bool inside = y >= 0 && y < height && from >= 0 && from < width;
      const double byte = inside ? set.pixels[static_cast<std::size_t>((y * width + from) * channels + c)] : 0;
      const auto k = static_cast<std::size_t>(c);
      const double expected = inside ? (byte / how.max_value - how.shift[k]) / how.scale[k] : 0;
      if (std::fabs(expected - pixels[static_cast<std::size_t>(i)]) > 1e-6) return false;
    }
    return true;
  };
  for (int place = 0; place < 2 * (2 * pad + 1) * (2 * pad + 1); ++place) {
    if (is_crop(place % 2 == 1, place / 2 % (2 * pad + 1), place / 2 / (2 * pad + 1))) return;
  }
  fail("a batch is not what it should be");
}

// Images per second, the best of five epochs.
double measure(const ImageSet& set, const Normalisation& how, const BatchOptions& options) {
  std::vector<std::uint32_t> images(set.size());
  std::iota(images.begin(), images.end(), 0u);
  BatchLoader loader(set, images, how, options);
  double best = 0;
  for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
    const auto start = Clock::now();
    std::size_t seen = 0;
    loader.start(epoch);
    while (const Batch* batch = loader.next()) seen += batch->size();
    if (seen != set.size()) fail("images got lost");
    best = std::max(best, static_cast<double>(seen) / seconds_since(start));
  }
  return best;
}

void compare(const Dataset& row) {
  const auto loading = Clock::now();
  const ImageSet set = load_or_make(row);
  const double load_seconds = seconds_since(loading);
  std::vector<std::uint32_t> images(set.size());
  std::iota(images.begin(), images.end(), 0u);
  const auto normalising = Clock::now();
  const Normalisation how = make_normalisation(Normalise::kStandard, set, images);
  std::printf("%s, %zu images of %d by %d by %d: loaded in %.2f s, mean and deviation in %.2f s\n",
              std::string(row.name).c_str(), set.size(), set.shape.height, set.shape.width, set.shape.channels,
              load_seconds, seconds_since(normalising));
  for (const Augmentation& augmentation : {Augmentation{}, Augmentation{.flip = true, .pad = 4}}) {
    check(set, how, augmentation);
    for (const std::size_t threads : {0, 1, 2}) {
      const double rate =
          measure(set, how, {.shuffle = true, .augmentation = augmentation, .seed = 1, .threads = threads});
      std::printf("  %-24s %zu threads  %9.0f images/s\n", augmentation.flip ? "shuffled, flip, pad 4" : "shuffled",
                  threads, rate);
    }
  }
}

}  // namespace

int main() {
  for (const char* name : {"fashion-mnist", "cifar10"}) compare(find_dataset(name));
  return 0;
}
