#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/data/image_set.h"
#include "actforge/data/split.h"

namespace actforge {

// A search chooses by the training part alone; the two parts are loaded by separate calls, so that nothing can touch
// the test images by accident.
enum class Part { kTrain, kTest };

// A row of the table of data sets.
struct Dataset {
  std::string_view name;
  std::string_view summary;
  ImageShape shape;
  int max_value;  // of the brightest pixel
  std::span<const std::string_view> class_names;
  std::size_t train_count;
  std::size_t test_count;
  std::size_t validation;     // how many training images are held out by default
  std::string_view get_with;  // the command that gets it; empty where it is part of the library
  std::span<const std::string_view> train_files;
  std::span<const std::string_view> test_files;
  ImageSet (*load)(const Dataset& row, Part part);
  // Splits have of each class as large a part as of the others (SplitOptions::in_proportion).
  bool in_proportion = false;

  int classes() const { return static_cast<int>(class_names.size()); }
  std::size_t count(Part part) const { return part == Part::kTrain ? train_count : test_count; }
  std::span<const std::string_view> files(Part part) const { return part == Part::kTrain ? train_files : test_files; }
};

std::span<const Dataset> datasets();

// A row of the table, or what the files at a path hold (source/opened_data.h). Throws Error (kBadInput), with the
// nearest name, where there is none of that name.
const Dataset& find_dataset(std::string_view name);
// Whether it is the name of a row.
bool is_dataset_name(std::string_view name);

// How the training part of a data set is split.
struct TrainingSplit {
  std::optional<std::size_t> subset = {};      // training images; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  std::uint64_t seed = 0;
};
Split split_training_part(const Dataset& row, const ImageSet& images, const TrainingSplit& wanted);

// All images of one part, in the order of the files. Throws Error (kBadInput) where files are missing, saying where
// they were looked for and what gets them, or where one is not what it should be, naming it.
ImageSet load(const Dataset& row, Part part);

// Where the files of both parts are: a folder, or "the library itself". Nothing where they are missing.
std::optional<std::string> where_is(const Dataset& row);

}  // namespace actforge
