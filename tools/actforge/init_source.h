#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/init/weight_plan.h"
#include "actforge/net/keras_file.h"
#include "actforge/net/onnx_file.h"
#include "actforge/net_options.h"

namespace actforge::tool {

// A network, and the file of another program that it comes from, if it does.
class InitSource {
 public:
  explicit InitSource(const NetOptions& options);

  const Network& network() const { return network_; }
  Network& network() { return network_; }
  // What was guessed or left out.
  const std::vector<std::string>& notes() const { return notes_; }
  FileValues file_values() const;

  // Numbers of a weight that is drawn.
  using Draw = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;
  // In the form of the source: ONNX, Keras JSON, or the weights alone (safetensors).
  void write(const std::string& path, const WeightPlan& plan, std::uint64_t seed, const Draw& draw) const;
  // Throws Error (kBadInput) where write() would have to leave a weight as it is.
  void check_replaceable(const WeightPlan& plan) const;
  // How write() will do it, for a message.
  std::string_view output_form() const;
  bool is_keras() const { return keras_.has_value(); }

 private:
  void write_keras(const std::string& path, const WeightPlan& plan, std::uint64_t seed) const;
  void write_tensors(const std::string& path, const WeightPlan& plan, const Draw& draw) const;

  Network network_;
  std::optional<OnnxFile> onnx_;
  std::optional<KerasFile> keras_;
  std::vector<std::string> notes_;
  bool changed_activations_ = false;
};

}  // namespace actforge::tool
