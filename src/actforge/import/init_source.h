#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actforge/init/weight_plan.h"
#include "actforge/keras/file.h"
#include "actforge/onnx/file.h"

namespace actforge {

// A network that is given initial weights, and the file of another program that it comes from, if it does.
class InitSource {
 public:
  // A network by itself.
  explicit InitSource(Network network) : network_(std::move(network)) {}
  // One in a file of ONNX or Keras; nothing where the name is that of neither. Throws Error (kBadInput).
  static std::optional<InitSource> read(const std::string& path);

  const Network& network() const { return network_; }
  Network& network() { return network_; }
  // What was guessed or left out.
  const std::vector<std::string>& notes() const { return notes_; }
  // What makes the file another network than the one that is trained.
  std::vector<std::string> warnings() const { return onnx_ ? onnx_->warnings() : std::vector<std::string>(); }
  FileValues file_values() const;

  // Numbers of a weight that is drawn.
  using Draw = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;
  // In the form of the source, ONNX or Keras JSON, or the weights alone (safetensors): see output_form().
  void write(const std::string& path, const WeightPlan& plan, std::uint64_t seed, const Draw& draw) const;
  // Throws Error (kBadInput) where write() would have to leave a weight as it is.
  void check_replaceable(const WeightPlan& plan) const;
  // What write() makes of a file of this name: "ONNX", "Keras JSON", "Keras archive", "safetensors". What a source can
  // become besides its own form is chosen by the ending: .safetensors for ONNX, .json for an archive of Keras.
  std::string_view output_form(const std::string& path) const;
  // Throws Error (kUsage) where a file of this name would hold another form than the name says.
  void check_output(const std::string& path) const;
  bool is_onnx() const { return onnx_.has_value(); }
  bool is_keras() const { return keras_.has_value(); }

 private:
  InitSource() = default;
  std::vector<KerasInitialiser> keras_rows(const WeightPlan& plan, std::uint64_t seed) const;
  std::map<std::string, std::string> metadata(const WeightPlan& plan) const;
  void write_tensors(const std::string& path, const WeightPlan& plan, const Draw& draw) const;

  Network network_;
  std::optional<OnnxFile> onnx_;
  std::optional<KerasFile> keras_;
  std::vector<std::string> notes_;
};

}  // namespace actforge
