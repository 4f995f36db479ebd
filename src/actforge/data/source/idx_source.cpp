// A folder with files of the format of MNIST, of any size.
#include <algorithm>
#include <filesystem>
#include <map>

#include "actforge/base/error.h"
#include "actforge/data/data_files.h"
#include "actforge/data/idx.h"
#include "actforge/data/source/parts.h"
#include "actforge/data/source/source.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = std::size_t{1} << 34;

[[noreturn]] void fail(const std::string& origin, const std::string& why) {
  throw Error(ErrorCode::kBadInput, origin + ": " + why);
}

std::string unpacked_name(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  std::ranges::replace(name, '.', '-');  // some write train-images.idx3-ubyte
  return name;
}

bool is_images(const std::string& name) { return unpacked_name(name).ends_with("images-idx3-ubyte"); }
bool is_labels(const std::string& name) { return unpacked_name(name).ends_with("labels-idx1-ubyte"); }

SplitPart part_of_file(const std::string& name) {
  if (name.find("t10k") != std::string::npos || name.find("test") != std::string::npos) return SplitPart::kTest;
  return name.find("val") != std::string::npos ? SplitPart::kValidation : SplitPart::kTrain;
}

SourceFiles find(const std::string& path) {
  if (!fs::is_directory(path)) return {};
  SourceFiles found{.path = path, .files = {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() || name.starts_with('.')) continue;
    if (is_images(name) || is_labels(name)) {
      found.files.push_back(name);
    } else if (found.ignored++ == 0) {
      found.first_ignored = entry.path().string();
    }
  }
  std::ranges::sort(found.files);
  return found;
}

struct Files {
  std::string images, labels;
};

std::map<SplitPart, Files> by_part(const SourceFiles& files) {
  std::map<SplitPart, Files> parts;
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    Files& part = parts[part_of_file(files.files[i])];
    std::string& place = is_images(files.files[i]) ? part.images : part.labels;
    if (!place.empty()) fail(files.path, place + " and " + files.full(i) + " are of the same part");
    place = files.full(i);
  }
  for (const auto& [part, pair] : parts) {
    if (pair.images.empty()) fail(pair.labels, "there is no file with the images to these labels");
    if (pair.labels.empty()) fail(pair.images, "there is no file with the labels of these images");
  }
  if (parts.count(SplitPart::kTrain) == 0) fail(files.path, "there is no training part (train-images-idx3-ubyte)");
  return parts;
}

SourceData read(const SourceFiles& files, const SourceOptions&) {
  SourceData data;
  ClassTable classes;
  std::map<SplitPart, std::string> label_files;
  for (const auto& [part, pair] : by_part(files)) {
    std::vector<std::uint8_t> bytes = read_data_file(pair.images, kLargest);
    IdxExpected expected = idx_images_header(bytes, pair.images);
    expected.classes = 256;
    ImageSet& set = part_of(data, part);
    set = {.shape = {.channels = 1, .height = expected.height, .width = expected.width},
           .max_value = 255,
           .classes = 1,
           .pixels = parse_idx_images(std::move(bytes), expected, pair.images),
           .labels = parse_idx_labels(read_data_file(pair.labels, expected.label_file_size()), expected, pair.labels)};
    label_files[part] = pair.labels;
    if (part == SplitPart::kTrain) {
      for (const int label : set.labels) classes.add(std::to_string(label));
    } else if (set.shape != data.train.shape) {
      fail(pair.images, "the images have another size than those of the training part");
    }
  }
  classes.complete();
  data.class_names = classes.names();
  for (const auto& [part, file] : label_files) {
    ImageSet& set = part_of(data, part);
    set.classes = classes.count();
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
      set.labels[i] = classes.label(std::to_string(set.labels[i]), file + ", label " + std::to_string(i));
    }
  }
  return data;
}

}  // namespace

extern constinit const SourceFormat kIdxSource = {
    .name = "IDX files",
    .looks_like = "a folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-..., packed (.gz) or not",
    .options = {},
    .find = find,
    .read = read};

}  // namespace actforge
