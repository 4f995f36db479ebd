#include "actforge/init_source.h"

#include <fmt/format.h>

#include <fstream>

#include "actforge/base/atomic_file.h"
#include "actforge/net/tensor_file.h"

namespace actforge::tool {
namespace {

// The whole file may be large: how it begins is enough to tell it from a network of our own form.
bool looks_like_keras(const std::string& path) {
  constexpr std::size_t kEnough = 4096;
  std::ifstream file(path, std::ios::binary);
  std::string text(kEnough, '\0');
  file.read(text.data(), kEnough);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.find('{') != std::string::npos && text.find("\"class_name\"") != std::string::npos;
}

bool is_drawn(const WeightPlan& plan, const Network& network, LayerId layer, std::size_t weight) {
  return plan.weights[layer][weight].distribution != nullptr ||
         network.layer(layer).weights[weight].role == WeightRole::kBias;
}

}  // namespace

InitSource::InitSource(const NetOptions& options) {
  if (is_onnx_name(options.net)) {
    onnx_ = OnnxFile::read(options.net);
    network_ = onnx_->network();
    notes_.assign(onnx_->notes().begin(), onnx_->notes().end());
  } else if (!find_architecture(options.net) && looks_like_keras(options.net)) {
    keras_ = KerasFile::read(options.net);
    network_ = keras_->network();
    notes_.assign(keras_->notes().begin(), keras_->notes().end());
  } else {
    network_ = read_network(options);
    return;
  }
  if (options.classes || options.input) {
    throw Error(ErrorCode::kUsage, "--classes and --input are for networks by name; a file has its own");
  }
  set_activations(network_, options.activations);
  changed_activations_ = options.activations.everywhere.has_value() || !options.activations.at.empty();
}

FileValues InitSource::file_values() const {
  if (!onnx_) return {};
  return [this](LayerId layer, std::size_t weight) { return onnx_->values(layer, weight); };
}

std::string_view InitSource::output_form() const { return onnx_ ? "ONNX" : keras_ ? "Keras JSON" : "safetensors"; }

void InitSource::check_replaceable(const WeightPlan& plan) const {
  for (LayerId id = 0; onnx_ && id < network_.layers().size(); ++id) {
    const Layer& layer = network_.layer(id);
    for (std::size_t i = 0; !layer.shares && i < layer.weights.size(); ++i) {
      if (plan.weights[id][i].distribution == nullptr || onnx_->holds(id, i)) continue;
      throw Error(ErrorCode::kBadInput,
                  fmt::format("layer '{}': the file computes its '{}' from other numbers; it cannot be replaced",
                              layer.name, layer.weights[i].name));
    }
  }
}

void InitSource::write(const std::string& path, const WeightPlan& plan, std::uint64_t seed, const Draw& draw) const {
  if ((onnx_ || keras_) && changed_activations_) {
    throw Error(ErrorCode::kUsage,
                "-o writes the file's own activation functions; leave --activation out, or put the function into the "
                "file first ('actforge fn export')");
  }
  const std::string_view wrong = is_onnx_name(path) && !onnx_         ? ".onnx"
                                 : path.ends_with(".json") && !keras_ ? ".json"
                                                                      : "";
  if (!wrong.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("-o would write {}, not what the name '{}' says; end it otherwise", output_form(), path));
  }
  if (onnx_) {
    const auto new_values = [&](LayerId layer, std::size_t weight) {
      return is_drawn(plan, network_, layer, weight) ? draw(layer, weight) : std::vector<float>();
    };
    onnx_->write(path, new_values, plan.shifts);
  } else if (keras_) {
    write_keras(path, plan, seed);
  } else {
    write_tensors(path, plan, draw);
  }
}

void InitSource::write_keras(const std::string& path, const WeightPlan& plan, std::uint64_t seed) const {
  std::vector<KerasInitialiser> rows;
  for (LayerId id = 0; id < network_.layers().size(); ++id) {
    const Layer& layer = network_.layer(id);
    if (layer.shares) continue;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      const PlannedWeight& weight = plan.weights[id][i];
      if (weight.distribution == nullptr) continue;
      rows.push_back({.layer = id,
                      .weight = i,
                      .distribution = std::string(weight.distribution->name),
                      .deviation = weight.deviation,
                      .seed = seed});
    }
  }
  write_file(path, keras_->with_initialisers(rows, plan.shifts));
}

void InitSource::write_tensors(const std::string& path, const WeightPlan& plan, const Draw& draw) const {
  TensorFile file;
  file.metadata["network"] = network_.name();
  for (const auto& [id, shift] : plan.shifts)
    file.metadata["shift." + network_.layer(id).name] = fmt::format("{}", shift);
  for (LayerId id = 0; id < network_.layers().size(); ++id) {
    const Layer& layer = network_.layer(id);
    if (layer.shares) continue;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      file.tensors.push_back({layer.name + "." + layer.weights[i].name, layer.weights[i].shape, draw(id, i)});
    }
  }
  write_tensor_file(path, file);
}

}  // namespace actforge::tool
