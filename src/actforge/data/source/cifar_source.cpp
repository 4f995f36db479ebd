// A folder with files of the binary version of CIFAR-10 or CIFAR-100, whole or in part.
#include <algorithm>
#include <filesystem>

#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "actforge/data/cifar_binary.h"
#include "actforge/data/data_files.h"
#include "actforge/data/source/parts.h"
#include "actforge/data/source/source.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOptions[] = {"label"};
constexpr ImageShape kShape = {.channels = 3, .height = 32, .width = 32};

bool is_cifar100(const std::string& name) { return name == "train.bin" || name == "test.bin"; }
bool is_cifar10(const std::string& name) {
  return name == "test_batch.bin" || (name.starts_with("data_batch_") && name.ends_with(".bin"));
}

SourceFiles find(const std::string& path) {
  if (!fs::is_directory(path)) return {};
  SourceFiles found{.path = path, .files = {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() && (is_cifar10(name) || is_cifar100(name))) found.files.push_back(name);
  }
  std::ranges::sort(found.files);
  const auto coarse = [](const std::string& name) { return is_cifar100(name); };
  if (std::ranges::any_of(found.files, coarse) && !std::ranges::all_of(found.files, coarse)) {
    throw Error(ErrorCode::kBadInput, path + ": it has files of CIFAR-10 and of CIFAR-100");
  }
  return found;
}

// One name in each line; else numbers.
std::vector<std::string> class_names(const std::string& file, int classes) {
  std::vector<std::string> names;
  std::string text = read_file(file).value_or("");
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = text.substr(begin, end - begin);
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    if (!line.empty()) names.push_back(line);
  }
  if (static_cast<int>(names.size()) == classes) return names;
  names.clear();
  for (int i = 0; i < classes; ++i) names.push_back(std::to_string(i));
  return names;
}

SourceData read(const SourceFiles& files, const SourceOptions& options) {
  constexpr std::size_t kLargest = std::size_t{1} << 33;
  const bool has_two = is_cifar100(files.files[0]), coarse = options.label == "coarse";
  if (coarse && !has_two) throw Error(ErrorCode::kUsage, files.path + ": CIFAR-10 has no coarse labels");
  const int classes = !has_two ? 10 : coarse ? 20 : 100;
  SourceData data;
  data.class_names = class_names(files.full(!has_two ? "batches.meta.txt"
                                            : coarse ? "coarse_label_names.txt"
                                                     : "fine_label_names.txt"),
                                 classes);
  for (ImageSet* set : {&data.train, &data.validation, &data.test}) {
    *set = {.shape = kShape, .max_value = 255, .classes = classes, .pixels = {}, .labels = {}};
  }
  const std::size_t labels = has_two ? 2 : 1, record = labels + kShape.size();
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    const std::vector<std::uint8_t> bytes = read_data_file(files.full(i), kLargest);
    const CifarExpected expected = {
        .count = bytes.size() / record, .labels = labels, .label = has_two && !coarse ? 1u : 0u};
    append_cifar(bytes, expected, files.full(i), files.files[i].starts_with("test") ? data.test : data.train);
  }
  return data;
}

}  // namespace

extern constinit const SourceFormat kCifarSource = {
    .name = "CIFAR's binary files",
    .looks_like = "a folder with data_batch_1.bin, ..., test_batch.bin (CIFAR-10), or train.bin, test.bin (CIFAR-100)",
    .options = kOptions,
    .find = find,
    .read = read};

}  // namespace actforge
