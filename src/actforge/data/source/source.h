#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/data/image_set.h"
#include "actforge/data/source/source_options.h"

namespace actforge {

// One line about what was found.
struct Finding {
  std::string what, text;
};

// What files hold, part by part. All parts have the same shape, classes and channels; those that the data do not come
// with are empty.
struct SourceData {
  ImageSet train, validation, test;
  std::vector<std::string> class_names;
  std::vector<Finding> findings;
  std::string unit = "images";  // what there are many of: images, rows
};

// Files of one format, below a path.
struct SourceFiles {
  std::string path;                // as the user wrote it, without options
  std::vector<std::string> files;  // relative to the path, in order; "" is the path itself
  std::size_t ignored = 0;         // files that belong to no part of the format
  std::string first_ignored = {};

  std::string full(std::size_t index) const { return full(files[index]); }
  std::string full(const std::string& file) const { return file.empty() ? path : path + "/" + file; }
};

// A row of the table of formats.
struct SourceFormat {
  std::string_view name;
  std::string_view looks_like;  // for messages
  std::span<const std::string_view> options;
  // The files that it would read; none where the path is not of this format. Throws Error (kBadInput) where it is, but
  // cannot be read.
  SourceFiles (*find)(const std::string& path);
  SourceData (*read)(const SourceFiles& files, const SourceOptions& options);
};

std::span<const SourceFormat* const> source_formats();

// Takes the test part out of the training part where the data have none, in proportion to the classes, by the seed of
// the options alone; and says so. Throws Error (kBadInput) where there are too few rows.
void hold_out_test(SourceData& data, const SourceOptions& options);
// The same of labels: for each whether it belongs to the test part.
std::vector<bool> choose_test(std::span<const int> labels, int classes, const SourceOptions& options);
Finding test_finding(std::size_t count, const SourceOptions& options);

// "1 file", "2 files".
std::string counted(std::size_t count, const std::string& what);

// An empty set of the same kind.
ImageSet empty_like(const ImageSet& set);
// Appends one image of another set of the same shape.
void append_image(ImageSet& set, const ImageSet& from, std::size_t index);

}  // namespace actforge
