#include "actforge/onnx/data_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "actforge/onnx/tensor.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;
using onnx::TensorProto;

std::string data_path(const std::string& model_path) { return model_path + ".data"; }

// The names of the files beside a model that it keeps numbers in.
std::set<std::string> locations(onnx::ModelProto& model) {
  std::set<std::string> names;
  for (const TensorProto* tensor : all_tensors(model)) {
    if (!is_external(*tensor)) continue;
    for (const onnx::StringStringEntryProto& entry : tensor->external_data()) {
      if (entry.key() == "location") names.insert(entry.value());
    }
  }
  return names;
}

// Those that are called as commit() calls them, with the name of the model: others may belong to somebody else.
std::vector<std::string> own_data(const std::string& model_path) {
  std::error_code ignored;
  onnx::ModelProto model;
  std::ifstream file(model_path, std::ios::binary);
  if (!fs::is_regular_file(model_path, ignored) || !model.ParseFromIstream(&file)) return {};
  std::vector<std::string> paths;
  const std::string stem = fs::path(data_path(model_path)).filename().string();
  for (const std::string& name : locations(model)) {
    const bool numbered = name.starts_with(stem + ".") && name.find('/') == std::string::npos;
    const fs::path path = fs::path(model_path).parent_path() / name;
    if ((name == stem || numbered) && fs::is_regular_file(path, ignored)) paths.push_back(path.string());
  }
  return paths;
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

void add_entry(TensorProto& tensor, const char* key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

}  // namespace

// Who may read the old data may read the new.
OnnxDataFile::OnnxDataFile(const std::string& model_path)
    : model_path_(model_path), old_(own_data(model_path)), file_(old_.empty() ? data_path(model_path) : old_.front()) {}

OnnxDataFile::~OnnxDataFile() {
  std::error_code ignored;
  if (!new_path_.empty()) fs::remove(new_path_, ignored);
}

void OnnxDataFile::add(TensorProto& tensor, const std::optional<std::vector<float>>& numbers,
                       const std::string& folder) {
  constexpr std::uint64_t kAlignment = 64;
  append(std::string((kAlignment - size_ % kAlignment) % kAlignment, '\0'));
  const std::uint64_t begin = size_;
  if (numbers) {
    append(float_bytes(tensor.data_type(), *numbers));
  } else {
    read_external(tensor, folder, [&](std::string_view piece) { append(piece); });
  }
  tensors_.push_back(&tensor);
  places_.push_back({begin, size_ - begin});
}

void OnnxDataFile::commit() {
  new_path_ = file_.commit_new(data_path(model_path_));
  location_ = fs::path(new_path_).filename().string();
  set_places(tensors_);
}

void OnnxDataFile::set_places(const std::vector<TensorProto*>& tensors) const {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors[i]->clear_external_data();
    add_entry(*tensors[i], "location", location_);
    add_entry(*tensors[i], "offset", std::to_string(places_[i].offset));
    add_entry(*tensors[i], "length", std::to_string(places_[i].length));
  }
}

void OnnxDataFile::replace_old(OnnxContent& content) {
  std::error_code ignored;
  new_path_.clear();
  if (is_same_file(content.path, model_path_)) {
    std::vector<TensorProto*> tensors = all_tensors(content.model);
    std::erase_if(tensors, [](const TensorProto* tensor) { return !is_external(*tensor); });
    set_places(tensors);
  }
  const std::set<std::string> needed = locations(content.model);
  for (const std::string& path : old_) {
    const bool in_use = std::any_of(needed.begin(), needed.end(), [&](const std::string& name) {
      return is_same_file(path, fs::path(content.folder) / name);
    });
    if (!in_use) fs::remove(path, ignored);
  }
}

void OnnxDataFile::append(std::string_view bytes) {
  file_.write(bytes);
  size_ += bytes.size();
}

}  // namespace actforge
