// How fast training images become batches: flipped and cropped, as networks on CIFAR-10 see them, and as they are.
// Batches are checked against the definition, pixel by pixel, before they are timed. And how fast pictures in files
// become batches for the first time: read, resized, flipped and cropped by one thread.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>

#include <png.h>

#include <jpeglib.h>

#include "actforge/base/random.h"
#include "actforge/data/batch_loader.h"
#include "actforge/data/dataset.h"
#include "actforge/data/source/image.h"

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
      const int at = (y * width + from) * channels + c;
      const double byte = inside ? set.pixels[static_cast<std::size_t>(at)] : 0;
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

// Images per second on the clock, and per second of processor time, which others on the machine do not change.
struct Rate {
  double clock = 0;
  double processor = 0;
};

// The best of five epochs.
Rate measure(const ImageSet& set, const Normalisation& how, const BatchOptions& options) {
  std::vector<std::uint32_t> images(set.size());
  std::iota(images.begin(), images.end(), 0u);
  BatchLoader loader(set, images, how, options);
  Rate best;
  for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
    const auto start = Clock::now();
    const std::clock_t processor_start = std::clock();
    std::size_t seen = 0;
    loader.start(epoch);
    while (const Batch* batch = loader.next()) seen += batch->size();
    if (seen != set.size()) fail("images got lost");
    const double processor = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
    best.clock = std::max(best.clock, static_cast<double>(seen) / seconds_since(start));
    best.processor = std::max(best.processor, static_cast<double>(seen) / processor);
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
      const Rate rate =
          measure(set, how, {.shuffle = true, .augmentation = augmentation, .seed = 1, .threads = threads});
      std::printf("  %-24s %zu threads %9.0f images/s %9.0f per second of processor time\n",
                  augmentation.flip ? "shuffled, flip, pad 4" : "shuffled", threads, rate.clock, rate.processor);
    }
  }
}

// Smooth, with some noise, as photographs are.
Image photograph(int height, int width) {
  Image image = {height, width, 3, {}};
  Random random(7);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const double wave = 110 + 80 * std::sin(x * 0.02 * (c + 1)) * std::cos(y * 0.03) + 20 * random.uniform();
        image.pixels.push_back(static_cast<std::uint8_t>(wave));
      }
    }
  }
  return image;
}

std::string as_png(const Image& image) {
  png_image writer = {};
  writer.version = PNG_IMAGE_VERSION;
  writer.width = static_cast<png_uint_32>(image.width);
  writer.height = static_cast<png_uint_32>(image.height);
  writer.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&writer, nullptr, &size, 0, image.pixels.data(), 0, nullptr);
  std::string file(size, '\0');
  if (png_image_write_to_memory(&writer, file.data(), &size, 0, image.pixels.data(), 0, nullptr) == 0) {
    fail("libpng cannot write");
  }
  file.resize(size);
  return file;
}

std::string as_jpeg(const Image& image) {
  jpeg_compress_struct writer = {};
  jpeg_error_mgr errors;
  writer.err = jpeg_std_error(&errors);
  jpeg_create_compress(&writer);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&writer, &bytes, &size);
  writer.image_width = static_cast<JDIMENSION>(image.width);
  writer.image_height = static_cast<JDIMENSION>(image.height);
  writer.input_components = 3;
  writer.in_color_space = JCS_RGB;
  jpeg_set_defaults(&writer);
  jpeg_set_quality(&writer, 90, TRUE);
  jpeg_start_compress(&writer, TRUE);
  while (writer.next_scanline < writer.image_height) {
    auto* row = const_cast<JSAMPLE*>(image.pixels.data() + std::size_t{3} * writer.image_width * writer.next_scanline);
    jpeg_write_scanlines(&writer, &row, 1);
  }
  jpeg_finish_compress(&writer);
  std::string file(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&writer);
  std::free(bytes);
  return file;
}

void check_picture(const Image& image, const std::string& file, int tolerance) {
  const Image read = decode_image(file, "picture");
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    if (std::abs(read.pixels.at(i) - image.pixels[i]) > tolerance) fail("a picture is not what was written");
  }
}

// The same file again and again: it is the work that counts.
void decode(const char* name, const Image& image, const std::string& file, int size) {
  constexpr int kTolerance = 40;  // of JPEG's, which noise costs most
  check_picture(image, file, name[0] == 'P' ? 0 : kTolerance);
  const int count = std::max(100, 20'000'000 / (image.height * image.width));
  double best = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::clock_t start = std::clock();
    ImageSet set{.shape = {.channels = 3, .height = size, .width = size},
                 .max_value = 255,
                 .classes = 2,
                 .pixels = {},
                 .labels = {}};
    std::vector<std::uint32_t> images;
    for (int i = 0; i < count; ++i) {
      const Image small = resize_image(decode_image(file, "picture"), size, size, true);
      set.pixels.insert(set.pixels.end(), small.pixels.begin(), small.pixels.end());
      set.labels.push_back(i % 2);
      images.push_back(static_cast<std::uint32_t>(i));
    }
    const Normalisation how = make_normalisation(Normalise::kStandard, set, images);
    BatchLoader loader(set, images, how, {.augmentation = {.flip = true, .pad = 4}, .seed = 1, .threads = 0});
    loader.start(0);
    while (loader.next() != nullptr) {
    }
    best = std::max(best, count / (static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC));
  }
  std::printf("%s of %d by %d: read, resized to %d by %d, flip, pad 4: %.0f images per second of processor time\n",
              name, image.height, image.width, size, size, best);
}

}  // namespace

int main() {
  const Image small = photograph(32, 32), large = photograph(375, 500);
  decode("PNG", small, as_png(small), 32);
  decode("JPEG", large, as_jpeg(large), 224);
  decode("JPEG", large, as_jpeg(large), 64);
  for (const char* name : {"fashion-mnist", "cifar10"}) compare(find_dataset(name));
  return 0;
}
