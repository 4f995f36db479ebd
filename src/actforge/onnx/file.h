#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actforge/net/graph/network.h"
#include "actforge/net/graph/tensor_file.h"

namespace actforge {

// A network out of an ONNX file, which stays in reach: its numbers can be read, and the file be written again with
// others.
class OnnxFile {
 public:
  // Throws Error (kBadInput) that names the file and the node.
  static OnnxFile read(const std::string& path);
  ~OnnxFile();
  OnnxFile(OnnxFile&&) noexcept;
  OnnxFile& operator=(OnnxFile&&) noexcept;

  const Network& network() const;
  // What was guessed or left out, a sentence each.
  std::span<const std::string> notes() const;

  // What makes the file another network than the one that was exported, a sentence each.
  std::vector<std::string> warnings() const;

  // The file's numbers of Layer::weights[weight], in the order of Weight::shape; empty where it has none.
  std::vector<float> values(LayerId layer, std::size_t weight) const;

  // Whether it keeps them as they are, so that they can be replaced. Otherwise it computes them from others.
  bool holds(LayerId layer, std::size_t weight) const;

  // Asked for one weight at a time, in the order of the file; an empty answer leaves the file's numbers.
  using NewValues = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;
  // The whole file with these weights replaced and everything else as it was. Numbers that two layers have in common
  // are asked for once, for the first of them. Weights that the file keeps in a file beside it go to `path`.data, one
  // at a time; where there is such a file, to `path`.data.2 and so on, and the data of a model that was replaced are
  // removed: at any moment the model at `path` is whole, the old one or the new one. `shifts` are added to the outputs
  // of activation layers; the reciprocal in a division of signals is none that the file has. Throws Error; no file is
  // left half written.
  void write(const std::string& path, const NewValues& new_values, const std::map<LayerId, double>& shifts = {}) const;
  // All of its floating-point tensors by their names in the file, with these weights replaced.
  std::vector<NamedTensor> tensors(const NewValues& new_values) const;

 private:
  struct Body;
  explicit OnnxFile(std::unique_ptr<Body> body);
  std::unique_ptr<Body> body_;
};

}  // namespace actforge
