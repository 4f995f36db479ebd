#include "actforge/data/source/array_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/base/read_file.h"
#include "actforge/data/source/parts.h"
#include "actforge/data/source/source.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOptions[] = {"layout"};
constexpr std::string_view kInputs[] = {"x", "data", "images", "image", "features", "inputs"};
constexpr std::string_view kLabels[] = {"y", "labels", "label", "targets", "target"};

[[noreturn]] void fail(const std::string& origin, const std::string& why) {
  throw Error(ErrorCode::kBadInput, origin + ": " + why);
}

struct Role {
  SplitPart part = SplitPart::kTrain;
  bool has_part = false;
  bool is_label = false;
};

// "x_train", "train_images", "Y": one word for what it is, and one for the part or none.
std::optional<Role> role_of(const std::string& name) {
  Role role;
  int kinds = 0, parts = 0;
  std::string word;
  for (const char c : name + "_") {
    if (c != '_' && c != '-' && c != '.') {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    const bool is_label = std::ranges::find(kLabels, std::string_view(word)) != std::end(kLabels);
    if (is_label || std::ranges::find(kInputs, std::string_view(word)) != std::end(kInputs)) {
      ++kinds;
      role.is_label = is_label;
    } else if (const std::optional<SplitPart> part = part_of_name(word)) {
      ++parts;
      role.part = *part;
      role.has_part = true;
    } else {
      return std::nullopt;
    }
    word.clear();
  }
  return kinds == 1 && parts <= 1 ? std::optional(role) : std::nullopt;
}

struct Pair {
  const NamedArray* x = nullptr;
  const NamedArray* y = nullptr;
};

std::map<SplitPart, Pair> find_pairs(const std::vector<NamedArray>& arrays, const std::string& origin,
                                     std::vector<std::string>& others) {
  std::map<SplitPart, Pair> pairs;
  std::string all;
  for (const NamedArray& array : arrays) {
    all += (all.empty() ? "" : ", ") + array.name;
    const std::optional<Role> role = role_of(array.name);
    if (!role) {
      others.push_back(array.name);
      continue;
    }
    Pair& pair = pairs[role->part];
    const NamedArray*& place = role->is_label ? pair.y : pair.x;
    if (place != nullptr) fail(origin, "'" + place->name + "' and '" + array.name + "' have the same meaning");
    place = &array;
  }
  if (pairs.count(SplitPart::kTrain) == 0) {
    fail(origin, "there are no arrays x and y, or x_train and y_train; it has: " + (all.empty() ? "none" : all));
  }
  for (const auto& [part, pair] : pairs) {
    if (pair.x == nullptr)
      fail(origin, "there is no array of images or features that belongs to '" + pair.y->name + "'");
    if (pair.y == nullptr) fail(origin, "there is no array of labels that belongs to '" + pair.x->name + "'");
  }
  return pairs;
}

// Where the numbers of an image lie.
struct Layout {
  ImageShape shape;
  bool channels_first = false;
};

bool is_channels(std::size_t extent) { return extent == 1 || extent == 3 || extent == 4; }

Layout layout_of(const NamedArray& x, const SourceOptions& options, const std::string& origin) {
  constexpr std::size_t kLargest = 1'000'000;
  const auto extent = [&](std::size_t d) {
    if (x.shape[d] == 0 || x.shape[d] > kLargest) {
      fail(origin, "array '" + x.name + "' has a dimension of " + std::to_string(x.shape[d]));
    }
    return static_cast<int>(x.shape[d]);
  };
  if (x.is_text()) fail(origin, "array '" + x.name + "' holds text, not numbers");
  switch (x.shape.size()) {
    case 1: return {{.channels = 1, .height = 1, .width = 1}};
    case 2: return {{.channels = extent(1), .height = 1, .width = 1}};
    case 3: return {{.channels = 1, .height = extent(1), .width = extent(2)}};
    case 4: break;
    default: fail(origin, "array '" + x.name + "' has " + std::to_string(x.shape.size()) + " dimensions, not 1 to 4");
  }
  bool first = options.layout == "nchw";
  if (options.layout == "auto") {
    if (is_channels(x.shape[1]) == is_channels(x.shape[3])) {
      fail(origin,
           "array '" + x.name + "': it is not clear which dimension is that of channels; add ?layout=nhwc or nchw");
    }
    first = is_channels(x.shape[1]);
  }
  if (first) return {{.channels = extent(1), .height = extent(2), .width = extent(3)}, true};
  return {{.channels = extent(3), .height = extent(1), .width = extent(2)}};
}

// The place in the file of number `i` of an image in our order: row by row, channels side by side.
std::size_t place_of(const Layout& layout, std::size_t i) {
  if (!layout.channels_first) return i;
  const auto channels = static_cast<std::size_t>(layout.shape.channels);
  return i % channels * (layout.shape.size() / channels) + i / channels;
}

void read_images(const NamedArray& x, const Layout& layout, const std::string& origin, ImageSet& set) {
  const std::size_t size = layout.shape.size(), count = x.shape.empty() ? 0 : x.shape[0];
  const bool bytes = x.is_byte() && x.shape.size() > 2;
  bytes ? set.pixels.resize(count * size) : set.values.resize(count * size);
  for (std::size_t image = 0; image < count; ++image) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t from = image * size + place_of(layout, i);
      if (bytes) {
        set.pixels[image * size + i] = static_cast<std::uint8_t>(x.bytes[from]);
        continue;
      }
      const double value = x.number(from);
      if (!std::isfinite(static_cast<float>(value))) {
        fail(origin, "array '" + x.name + "' has a number that is not finite, in row " + std::to_string(image) +
                         " (counted from 0)");
      }
      set.values[image * size + i] = static_cast<float>(value);
    }
  }
}

// Of numbers, text, or rows of which one number is 1 and the others are 0.
class LabelReader {
 public:
  LabelReader(const NamedArray& y, const std::string& origin) : y_(y), origin_(origin + ", array '" + y.name + "'") {
    const std::size_t width = y.shape.size() == 2 ? y.shape[1] : 1;
    if (y.shape.empty() || y.shape.size() > 2 || (y.is_text() && width != 1)) {
      fail(origin_, "labels are one number or text each, or one-hot rows");
    }
    width_ = width;
  }

  std::size_t count() const { return y_.shape[0]; }
  std::string place(std::size_t row) const { return origin_ + ", row " + std::to_string(row) + " (counted from 0)"; }

  std::string name(std::size_t row) const {
    if (y_.is_text()) return y_.text(row);
    if (width_ != 1) return std::to_string(hot(row));
    const double value = y_.number(row);
    if (value != std::floor(value) || std::fabs(value) > 1e15) {
      fail(place(row), "the label " + number_text(value) +
                           " is not a whole number; numbers to be predicted (regression) are not supported");
    }
    return std::to_string(static_cast<long long>(value));
  }

 private:
  std::size_t hot(std::size_t row) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < width_; ++i) {
      const double value = y_.number(row * width_ + i);
      if (value == 0) continue;
      if (value != 1 || found) fail(place(row), "the row is not one-hot: one 1, and 0 elsewhere");
      found = i;
    }
    if (!found) fail(place(row), "the row is not one-hot: one 1, and 0 elsewhere");
    return *found;
  }

  const NamedArray& y_;
  std::string origin_;
  std::size_t width_ = 1;
};

void check_pair(const Pair& pair, const std::string& origin) {
  const std::size_t images = pair.x->shape.empty() ? 0 : pair.x->shape[0];
  const std::size_t labels = pair.y->shape.empty() ? 0 : pair.y->shape[0];
  if (images == labels) return;
  fail(origin, "'" + pair.x->name + "' has " + std::to_string(images) + " rows, '" + pair.y->name + "' has " +
                   std::to_string(labels));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// A whole file, or an Error.
std::string read_whole(const std::string& path) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 34;
  std::optional<std::string> bytes = read_file(path, kLargest);
  if (!bytes) fail(path, "cannot be read");
  return *std::move(bytes);
}

SourceFiles file_with(const std::string& path, std::string_view ending) {
  if (!fs::is_regular_file(path) || !path.ends_with(ending)) return {};
  return {.path = path, .files = {""}};
}

SourceData read_npz(const SourceFiles& files, const SourceOptions& options) {
  return source_of_arrays(parse_npz(read_whole(files.path), files.path), options, files.path);
}

SourceData read_safetensors(const SourceFiles& files, const SourceOptions& options) {
  return source_of_arrays(parse_safetensors(read_whole(files.path), files.path), options, files.path);
}

SourceFiles find_npy(const std::string& path) {
  if (fs::is_regular_file(path) && path.ends_with(".npy")) {
    fail(path, "one array is no data set; give the folder that has x.npy and y.npy, or an .npz file");
  }
  if (!fs::is_directory(path)) return {};
  SourceFiles found{.path = path, .files = {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() || name.starts_with('.')) continue;
    if (name.ends_with(".npy") && is_array_name(entry.path().stem().string())) {
      found.files.push_back(name);
    } else if (found.ignored++ == 0) {
      found.first_ignored = entry.path().string();
    }
  }
  std::ranges::sort(found.files);
  return found;
}

SourceData read_npy(const SourceFiles& files, const SourceOptions& options) {
  std::vector<NamedArray> arrays;
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    arrays.push_back(parse_npy(read_whole(files.full(i)), files.full(i)));
    arrays.back().name = fs::path(files.files[i]).stem().string();
  }
  return source_of_arrays(arrays, options, files.path);
}

}  // namespace

bool is_array_name(const std::string& name) { return role_of(name).has_value(); }

SourceData source_of_arrays(const std::vector<NamedArray>& arrays, const SourceOptions& options,
                            const std::string& origin) {
  std::vector<std::string> others;
  const std::map<SplitPart, Pair> pairs = find_pairs(arrays, origin, others);
  for (const auto& [part, pair] : pairs) check_pair(pair, origin);
  const Layout layout = layout_of(*pairs.at(SplitPart::kTrain).x, options, origin);
  ClassTable classes;
  const LabelReader training(*pairs.at(SplitPart::kTrain).y, origin);
  for (std::size_t i = 0; i < training.count(); ++i) classes.add(training.name(i));
  classes.complete();
  SourceData data;
  data.class_names = classes.names();
  bool bytes = true;
  for (const auto& [part, pair] : pairs) {
    const Layout own = layout_of(*pair.x, options, origin);
    if (own.shape != layout.shape) fail(origin, "the parts have different shapes: see '" + pair.x->name + "'");
    ImageSet& set = part_of(data, part);
    read_images(*pair.x, own, origin, set);
    const LabelReader labels(*pair.y, origin);
    for (std::size_t i = 0; i < labels.count(); ++i) {
      set.labels.push_back(classes.label(labels.name(i), labels.place(i)));
    }
    if (set.has_values()) bytes = false;
  }
  for (ImageSet* set : {&data.train, &data.validation, &data.test}) {
    if (!bytes && !set->pixels.empty()) fail(origin, "some parts hold bytes and some other numbers");
    set->shape = layout.shape;
    set->classes = classes.count();
    set->max_value = bytes ? 255 : 1;
  }
  if (layout.shape.height * layout.shape.width == 1) data.unit = "rows";
  if (!others.empty()) data.findings.push_back({"not read", "the arrays " + listed(others)});
  return data;
}

extern constinit const SourceFormat kNumpyArchiveSource = {
    .name = "arrays of NumPy",
    .looks_like = "an .npz file with x and y, or x_train, y_train, x_test, y_test (also x_val, y_val)",
    .options = kOptions,
    .find = [](const std::string& path) { return file_with(path, ".npz"); },
    .read = read_npz};

extern constinit const SourceFormat kNumpyFolderSource = {
    .name = "files of NumPy",
    .looks_like = "a folder with x.npy and y.npy, or x_train.npy and so on",
    .options = kOptions,
    .find = find_npy,
    .read = read_npy};

extern constinit const SourceFormat kSafetensorsSource = {
    .name = "safetensors",
    .looks_like = "a .safetensors file with the same arrays",
    .options = kOptions,
    .find = [](const std::string& path) { return file_with(path, ".safetensors"); },
    .read = read_safetensors};

}  // namespace actforge
