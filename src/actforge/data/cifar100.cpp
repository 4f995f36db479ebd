#include <array>

#include "actforge/data/cifar_binary.h"
#include "actforge/data/data_files.h"
#include "actforge/data/dataset.h"

namespace actforge {
namespace {

constexpr std::array<std::string_view, 100> kClasses = {
    "apple",      "aquarium_fish", "baby",         "bear",       "beaver",      "bed",         "bee",
    "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
    "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
    "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
    "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
    "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn_mower",
    "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple_tree",  "motorcycle",
    "mountain",   "mouse",         "mushroom",     "oak_tree",   "orange",      "orchid",      "otter",
    "palm_tree",  "pear",          "pickup_truck", "pine_tree",  "plain",       "plate",       "poppy",
    "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
    "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
    "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet_pepper",
    "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
    "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow_tree", "wolf",
    "woman",      "worm"};
constexpr std::array<std::string_view, 1> kTrainFiles = {"train.bin"};
constexpr std::array<std::string_view, 1> kTestFiles = {"test.bin"};

ImageSet load_cifar100(const Dataset& row, Part part) {
  const std::string path = find_part(row, part)[0];
  ImageSet set{.shape = row.shape, .max_value = row.max_value, .classes = row.classes(), .pixels = {}, .labels = {}};
  const CifarExpected expected = {.count = row.count(part), .labels = 2, .label = 1};
  append_cifar(read_data_file(path, expected.count * (expected.labels + row.shape.size())), expected, path, set);
  return set;
}

}  // namespace

Dataset cifar100_dataset() {
  return {.name = "cifar100",
          .summary = "small photographs in colour of 100 classes, 32 by 32 (Krizhevsky, 2009)",
          .shape = {.channels = 3, .height = 32, .width = 32},
          .max_value = 255,
          .class_names = kClasses,
          .train_count = 50'000,
          .test_count = 10'000,
          .validation = 5'000,
          .get_with = "the files of cifar-100-binary.tar.gz from https://www.cs.toronto.edu/~kriz/cifar.html",
          .train_files = kTrainFiles,
          .test_files = kTestFiles,
          .load = load_cifar100};
}

}  // namespace actforge
