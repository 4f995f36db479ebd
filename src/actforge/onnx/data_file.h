#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/base/atomic_file.h"
#include "actforge/onnx/write.h"

namespace actforge {

// The file beside a model for the numbers that the model keeps outside. A model and its data are two files, which no
// file system replaces at once. So the new data get a name that no file has, the model that names them takes the place
// of the old one in a single step, and only then are the old data removed. Whenever the process ends, the model that is
// there finds the data it was written with; at worst a file is left over that no model names.
class OnnxDataFile {
 public:
  explicit OnnxDataFile(const std::string& model_path);
  OnnxDataFile(const OnnxDataFile&) = delete;
  OnnxDataFile& operator=(const OnnxDataFile&) = delete;
  // Removes the new data, unless they have replaced the old.
  ~OnnxDataFile();

  // These numbers, or else those that the tensor has in a file of `folder`. The tensor gets its new place with
  // commit().
  void add(onnx::TensorProto& tensor, const std::optional<std::vector<float>>& numbers, const std::string& folder);
  // Before the model is written.
  void commit();
  // After it: removes the data of the model that was replaced, but for those that `content` needs, which is what the
  // model was made from. If that was the model itself, it learns where its numbers are now.
  void replace_old(OnnxContent& content);

 private:
  struct Place {
    std::uint64_t offset, length;
  };
  void append(std::string_view bytes);
  // Of all tensors that were added, in that order.
  void set_places(const std::vector<onnx::TensorProto*>& tensors) const;

  std::string model_path_;
  std::vector<std::string> old_;
  AtomicFile file_;
  std::vector<onnx::TensorProto*> tensors_;
  std::vector<Place> places_;
  std::string new_path_, location_;
  std::uint64_t size_ = 0;
};

}  // namespace actforge
