#include "actforge/import/init_source.h"

#include <fstream>

#include "actforge/base/atomic_file.h"
#include "actforge/base/error.h"
#include "actforge/base/number_text.h"
#include "actforge/import/find_network.h"
#include "actforge/import/foreign_file.h"
#include "actforge/net/graph/tensor_file.h"

namespace actforge {
namespace {

// The whole file may be large: its beginning is enough to tell it from a network in our own format.
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

std::optional<InitSource> InitSource::read(const std::string& path) {
  if (find_architecture(path)) return std::nullopt;
  refuse_foreign(path);
  InitSource source;
  if (is_onnx_name(path)) {
    source.onnx_ = OnnxFile::read(path);
    source.network_ = source.onnx_->network();
    source.notes_.assign(source.onnx_->notes().begin(), source.onnx_->notes().end());
  } else if (is_zip(path) || looks_like_keras(path)) {
    source.keras_ = KerasFile::read(path);
    source.network_ = source.keras_->network();
    source.notes_.assign(source.keras_->notes().begin(), source.keras_->notes().end());
  } else {
    return std::nullopt;
  }
  return source;
}

FileValues InitSource::file_values() const {
  if (!onnx_) return {};
  return [this](LayerId layer, std::size_t weight) { return onnx_->values(layer, weight); };
}

std::string_view InitSource::output_form(const std::string& path) const {
  if (keras_) return keras_->is_archive() && !has_ending(path, ".json") ? "Keras archive" : "Keras JSON";
  return onnx_ && !has_ending(path, ".safetensors") ? "ONNX" : "safetensors";
}

void InitSource::check_output(const std::string& path) const {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".onnx", "ONNX"},
      {".json", "Keras JSON"},
      {".keras", "Keras archive"},
      {".safetensors", "safetensors"},
      {".pt", ""},
      {".pth", ""},
      {".h5", ""},
      {".npz", ""},
      {".tflite", ""}};  // the last are nothing that is written here
  const std::string_view form = output_form(path);
  for (const auto& [ending, says] : kEndings) {
    if (!has_ending(path, ending) || says == form) continue;
    throw Error(ErrorCode::kUsage,
                "-o would write " + std::string(form) + ", not what the name '" + path + "' says; end it otherwise");
  }
}

void InitSource::check_replaceable(const WeightPlan& plan) const {
  for (LayerId id = 0; onnx_ && id < network_.layers().size(); ++id) {
    const Layer& layer = network_.layer(id);
    for (std::size_t i = 0; !layer.shares && i < layer.weights.size(); ++i) {
      if (plan.weights[id][i].distribution == nullptr || onnx_->holds(id, i)) continue;
      throw Error(ErrorCode::kBadInput, "layer '" + layer.name + "': the file computes its '" + layer.weights[i].name +
                                            "' from other numbers; it cannot be replaced");
    }
  }
}

void InitSource::write(const std::string& path, const WeightPlan& plan, std::uint64_t seed, const Draw& draw) const {
  if (onnx_) {
    const auto new_values = [&](LayerId layer, std::size_t weight) {
      return is_drawn(plan, network_, layer, weight) ? draw(layer, weight) : std::vector<float>();
    };
    if (output_form(path) == "ONNX") return onnx_->write(path, new_values, plan.shifts);
    TensorFile file = {.metadata = metadata(plan), .tensors = onnx_->tensors(new_values)};
    write_tensor_file(path, file);
  } else if (keras_ && output_form(path) == "Keras archive") {
    if (!plan.shifts.empty()) {
      throw Error(ErrorCode::kBadInput,
                  "the shifts of this method are layers of their own, for which an archive has no place; write JSON "
                  "(-o model.json)");
    }
    write_file(path, keras_->archive_with([&](LayerId layer, std::size_t weight) {
      return is_drawn(plan, network_, layer, weight) ? draw(layer, weight) : std::vector<float>();
    }));
  } else if (keras_) {
    write_file(path, keras_->with_initialisers(keras_rows(plan, seed), plan.shifts));
  } else {
    write_tensors(path, plan, draw);
  }
}

std::vector<KerasInitialiser> InitSource::keras_rows(const WeightPlan& plan, std::uint64_t seed) const {
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
  return rows;
}

std::map<std::string, std::string> InitSource::metadata(const WeightPlan& plan) const {
  std::map<std::string, std::string> metadata = {{"network", network_.name()}};
  for (const auto& [id, shift] : plan.shifts) metadata["shift." + network_.layer(id).name] = number_text(shift);
  return metadata;
}

void InitSource::write_tensors(const std::string& path, const WeightPlan& plan, const Draw& draw) const {
  TensorFile file = {.metadata = metadata(plan)};
  for (LayerId id = 0; id < network_.layers().size(); ++id) {
    const Layer& layer = network_.layer(id);
    if (layer.shares) continue;
    for (std::size_t i = 0; i < layer.weights.size(); ++i) {
      file.tensors.push_back({layer.name + "." + layer.weights[i].name, layer.weights[i].shape, draw(id, i)});
    }
  }
  write_tensor_file(path, file);
}

}  // namespace actforge
