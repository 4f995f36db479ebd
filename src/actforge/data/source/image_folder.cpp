// Folders of images, a folder for each class: what torchvision's ImageFolder and Keras' image_dataset_from_directory
// read.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>

#include "actforge/base/error.h"
#include "actforge/base/parallel.h"
#include "actforge/base/read_file.h"
#include "actforge/data/source/image.h"
#include "actforge/data/source/parts.h"
#include "actforge/data/source/source.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOptions[] = {"size", "fit", "color"};
constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 28;
constexpr std::size_t kMostMemory = std::size_t{1} << 33;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> endings) {
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(endings, std::string_view(ending)) != endings.end();
}

bool is_image_name(const std::string& name) { return is_one_of(name, {".png", ".jpg", ".jpeg"}); }
bool is_hidden(const std::string& name) { return name.starts_with('.'); }

// Names in a folder in the order of their bytes, hidden ones left out.
std::vector<std::string> names_in(const std::string& folder, bool folders) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() == folders && !is_hidden(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

class Search {
 public:
  explicit Search(const std::string& path) : found_{.path = path, .files = {}} {}

  // All images below a folder, which is given relative to the path.
  void add(const std::string& folder, int depth) {
    constexpr int kDeepest = 8;
    if (depth > kDeepest) refuse(found_.full(folder) + ": the folders are nested too deeply");
    for (const std::string& name : names_in(found_.full(folder), false)) {
      const std::string file = folder + "/" + name;
      if (is_one_of(name, {".gif", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm"})) {
        refuse(found_.full(file) + ": images are read from PNG and JPEG files alone; convert it");
      }
      if (is_image_name(name)) {
        found_.files.push_back(file);
      } else if (found_.ignored++ == 0) {
        found_.first_ignored = found_.full(file);
      }
    }
    for (const std::string& name : names_in(found_.full(folder), true)) add(folder + "/" + name, depth + 1);
  }

  // Those of each class in a part ("" or "train"). An empty class is an error.
  void add_classes(const std::string& part) {
    for (const std::string& name : names_in(found_.full(part), true)) {
      const std::string folder = part.empty() ? name : part + "/" + name;
      const std::size_t before = found_.files.size();
      add(folder, 0);
      if (found_.files.size() == before) {
        refuse(found_.full(folder) + ": the class has no images (PNG or JPEG)" +
               (found_.ignored > 0 ? ", but other files such as " + found_.first_ignored : std::string()));
      }
    }
  }

  SourceFiles result() { return std::move(found_); }

 private:
  SourceFiles found_;
};

SourceFiles find(const std::string& path) {
  if (!fs::is_directory(path)) return {};
  const std::vector<std::string> folders = names_in(path, true);
  if (folders.empty()) {
    const std::vector<std::string> files = names_in(path, false);
    if (files.empty()) refuse("'" + path + "': the folder is empty");
    if (std::ranges::any_of(files, is_image_name)) {
      refuse("'" + path + "': the images have no classes; put those of each class into a folder of its own");
    }
    return {};
  }
  Search search(path);
  if (const auto parts = find_part_names(folders); !parts.empty()) {
    for (const auto& [part, name] : parts) search.add_classes(name);
    for (const std::string& name : folders) {
      if (!part_of_name(name))
        refuse(path + "/" + name + ": beside 'train', only 'val' and 'test' are parts of the data");
    }
  } else {
    search.add_classes("");
  }
  return search.result();
}

struct Size {
  int height = 0, width = 0;
};

Size read_size(const std::string& text) {
  if (text.empty()) return {};
  Size size;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, size.height);
  size.width = size.height;
  if (error == std::errc() && stop != end && *stop == 'x') {
    const auto second = std::from_chars(stop + 1, end, size.width);
    stop = second.ptr;
    error = second.ec;
  }
  constexpr int kLargest = 4096;
  const bool fits = std::min(size.height, size.width) >= 1 && std::max(size.height, size.width) <= kLargest;
  if (error != std::errc() || stop != end || !fits) {
    throw Error(ErrorCode::kUsage, "size is a number of pixels from 1 to 4096, or HEIGHTxWIDTH, not '" + text + "'");
  }
  return size;
}

// Problems of files, the first few of which are told.
class Problems {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  void check() {
    constexpr std::size_t kMost = 5;
    if (texts_.empty()) return;
    std::ranges::sort(texts_);
    std::string message = texts_[0];
    for (std::size_t i = 1; i < std::min(kMost, texts_.size()); ++i) message += "\n" + texts_[i];
    if (texts_.size() > kMost) message += "\nand " + std::to_string(texts_.size() - kMost) + " more";
    refuse(message);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

bool is_misnamed(const std::string& name, std::string_view bytes) {
  return (image_kind(bytes) == ImageKind::kPng) != is_one_of(name, {".png"});
}

struct Decoded {
  std::vector<Image> images;
  std::size_t misnamed = 0;
};

Decoded decode_all(const SourceFiles& files, const SourceOptions& options) {
  const Size size = read_size(options.size);
  Decoded decoded{.images = std::vector<Image>(files.files.size())};
  std::vector<char> misnamed(files.files.size());
  Problems problems;
  parallel_for(thread_count(0), files.files.size(), [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::string path = files.full(i);
      const std::optional<std::string> bytes = read_file(path, kLargestFile);
      try {
        if (!bytes) refuse(path + ": cannot be read");
        Image image = decode_image(*bytes, path);
        misnamed[i] = is_misnamed(path, *bytes) ? 1 : 0;
        if (size.height > 0) image = resize_image(image, size.height, size.width, options.fit == "crop");
        decoded.images[i] = std::move(image);
      } catch (const Error& error) {
        problems.add(error.what());
      }
    }
  });
  problems.check();
  decoded.misnamed = static_cast<std::size_t>(std::ranges::count(misnamed, 1));
  return decoded;
}

std::string size_text(const Image& image) {
  return std::to_string(image.height) + " by " + std::to_string(image.width);
}

// One shape for all, or an error.
ImageShape common_shape(const SourceFiles& files, const std::vector<Image>& images, const SourceOptions& options) {
  const Image& first = images[0];
  int channels = 1;
  for (std::size_t i = 0; i < images.size(); ++i) {
    channels = std::max(channels, images[i].channels);
    if (images[i].height == first.height && images[i].width == first.width) continue;
    throw Error(ErrorCode::kUsage, "the images have different sizes (" + files.full(0) + ": " + size_text(first) +
                                       ", " + files.full(i) + ": " + size_text(images[i]) +
                                       "); say which they are to have: '" + files.path + "?size=32'");
  }
  if (options.color != "auto") channels = options.color == "grey" ? 1 : 3;
  const ImageShape shape = {.channels = channels, .height = first.height, .width = first.width};
  if (shape.size() * images.size() > kMostMemory) {
    refuse(files.path + ": " + std::to_string(images.size()) + " images of " + size_text(first) +
           " need more than 8 GB of memory; choose a smaller size");
  }
  return shape;
}

// "train/cat/1.png" is of the part train and the class cat.
struct Place {
  SplitPart part = SplitPart::kTrain;
  std::string name;
};

Place place_of(const std::string& file, bool has_parts) {
  Place place;
  std::string_view rest = file;
  if (has_parts) {
    if (const auto part = part_of_name(rest.substr(0, rest.find('/')))) place.part = *part;
    rest.remove_prefix(rest.find('/') + 1);
  }
  place.name = std::string(rest.substr(0, rest.find('/')));
  return place;
}

SourceData read(const SourceFiles& files, const SourceOptions& options) {
  const bool has_parts = !find_part_names(names_in(files.path, true)).empty();
  std::vector<Place> places;
  ClassTable classes;
  for (const std::string& file : files.files) {
    places.push_back(place_of(file, has_parts));
    if (places.back().part == SplitPart::kTrain) classes.add(places.back().name);
  }
  classes.complete();
  std::vector<int> labels;
  for (std::size_t i = 0; i < places.size(); ++i) labels.push_back(classes.label(places[i].name, files.full(i)));
  const Decoded decoded = decode_all(files, options);
  const ImageShape shape = common_shape(files, decoded.images, options);
  SourceData data;
  data.class_names = classes.names();
  for (ImageSet* set : {&data.train, &data.validation, &data.test}) {
    *set = {.shape = shape, .max_value = 255, .classes = classes.count(), .pixels = {}, .labels = {}};
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    ImageSet& set = part_of(data, places[i].part);
    const Image image = with_channels(decoded.images[i], shape.channels);
    set.labels.push_back(labels[i]);
    set.pixels.insert(set.pixels.end(), image.pixels.begin(), image.pixels.end());
  }
  if (!options.size.empty())
    data.findings.push_back(
        {"resized", options.fit == "crop" ? "the middle of each image" : "whole images, stretched"});
  if (decoded.misnamed > 0) {
    data.findings.push_back({"misnamed", counted(decoded.misnamed, "file") +
                                             " named PNG or JPEG, of which the content is the other; read by content"});
  }
  return data;
}

}  // namespace

extern constinit const SourceFormat kImageFolderSource = {
    .name = "folders of images",
    .looks_like = "a folder with a folder of PNG or JPEG files for each class; or these in train/, val/ and test/",
    .options = kOptions,
    .find = find,
    .read = read};

}  // namespace actforge
