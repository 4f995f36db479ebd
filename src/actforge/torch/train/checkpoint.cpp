#include "actforge/torch/train/checkpoint.h"

#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/data/source/opened_data.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/graph/tensor_file.h"

namespace actforge {
namespace {

using Json = nlohmann::json;
using torch::Tensor;

constexpr const char* kFormat = "actforge checkpoint 1";

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Numbers of a state tensor in memory order: it lies as its weight does.
NamedTensor state_tensor(std::size_t number, const Tensor& tensor) {
  const Tensor values = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
  const float* begin = values.data_ptr<float>();
  return {"state." + std::to_string(number), values.sizes().vec(), {begin, begin + values.numel()}};
}

Json score_json(const Score& score) { return {score.loss, score.accuracy}; }
Score score_of(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

Json state_json(const TrainState& state, std::int64_t optimizer_steps) {
  Json curve = Json::array();
  for (const EpochScore& e : state.curve) {
    curve.push_back({e.epoch, e.learning_rate, score_json(e.train), score_json(e.validation), e.seconds});
  }
  return {{"epoch", state.epoch},
          {"step", state.step},
          {"loss_sum", state.loss_sum},
          {"correct", state.correct},
          {"images", state.images},
          {"seconds", state.seconds},
          {"step_seconds", state.step_seconds},
          {"trained", state.trained},
          {"optimizer_steps", optimizer_steps},
          {"curve", std::move(curve)}};
}

TrainState state_of(const Json& json) {
  TrainState state = {.epoch = json.at("epoch").get<std::uint64_t>(),
                      .step = json.at("step").get<std::uint64_t>(),
                      .loss_sum = json.at("loss_sum").get<double>(),
                      .correct = json.at("correct").get<std::uint64_t>(),
                      .images = json.at("images").get<std::uint64_t>(),
                      .seconds = json.at("seconds").get<double>(),
                      .step_seconds = json.at("step_seconds").get<double>(),
                      .trained = json.at("trained").get<std::uint64_t>()};
  for (const Json& e : json.at("curve")) {
    state.curve.push_back({e.at(0).get<std::uint64_t>(), e.at(1).get<double>(), score_of(e.at(2)), score_of(e.at(3)),
                           e.at(4).get<double>()});
  }
  return state;
}

void check_settings(const TrainSettings& wanted, const Json& found) {
  std::string differences;
  for (const auto& [name, value] : wanted) {
    const std::string other = found.value(name, std::string());
    if (other == value) continue;
    // The text of a network is long; that it differs is enough.
    differences += "\n  " + name + (name == "network" ? "" : ": " + other + " in the file, " + value + " here");
  }
  if (!differences.empty()) refuse("it belongs to another run, which differs in:" + differences);
}

const NamedTensor& find_tensor(const TensorFile& file, const std::string& name, torch::IntArrayRef shape) {
  for (const NamedTensor& tensor : file.tensors) {
    if (tensor.name != name) continue;
    if (torch::IntArrayRef(tensor.shape) != shape) refuse("'" + name + "' has another shape");
    return tensor;
  }
  refuse("'" + name + "' is missing");
}

TrainState restore(const TensorFile& file, const TrainSettings& settings, Model& model, Optimizer& optimizer) {
  const auto text = [&](const char* key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end()) refuse("it is not a checkpoint of actforge");
    return found->second;
  };
  if (text("format") != kFormat) refuse("its format is '" + text("format") + "', not '" + kFormat + "'");
  check_settings(settings, Json::parse(text("settings")));
  const Json progress = Json::parse(text("progress"));
  TrainState state = state_of(progress);
  optimizer.set_steps(progress.at("optimizer_steps").get<std::int64_t>());
  for (ModelWeight& weight : model.weights()) {
    model.set_weight(weight, find_tensor(file, weight.name, weight.tensor.sizes()).values);
  }
  for (std::size_t i = 0; i < optimizer.state().size(); ++i) {
    Tensor& target = optimizer.state()[i];
    const NamedTensor& given = find_tensor(file, "state." + std::to_string(i), target.sizes());
    target.copy_(torch::tensor(given.values).reshape(target.sizes()));
  }
  return state;
}

std::vector<NamedTensor> weight_tensors(Model& model) {
  std::vector<NamedTensor> tensors;
  for (const ModelWeight& weight : model.weights()) {
    tensors.push_back({weight.name, weight.weight->shape, Model::weight_values(weight)});
  }
  return tensors;
}

}  // namespace

TrainSettings train_settings(const TrainJob& job) {
  TrainSettings settings;
  for (const TrainField& field : train_fields()) settings[std::string(field.name)] = field_text(job.options, field);
  settings["network"] = network_text(*job.network);
  settings["data"] = std::string(job.dataset->name);
  // Other files at the same path are other data.
  if (const OpenedData* opened = opened_data(*job.dataset))
    settings["data"].append(" ").append(opened->identity().hex());
  settings["subset"] = job.subset ? std::to_string(*job.subset) : "all";
  settings["validation"] = std::to_string(job.validation.value_or(job.dataset->validation));
  settings["seed"] = std::to_string(job.run.seed);
  return settings;
}

void save_checkpoint(const std::string& path, const TrainSettings& settings, Model& model, Optimizer& optimizer,
                     const TrainState& state) {
  TensorFile file;
  file.metadata = {{"format", kFormat},
                   {"settings", Json(settings).dump()},
                   {"progress", state_json(state, optimizer.steps()).dump()}};
  file.tensors = weight_tensors(model);
  for (std::size_t i = 0; i < optimizer.state().size(); ++i) {
    file.tensors.push_back(state_tensor(i, optimizer.state()[i]));
  }
  write_tensor_file(path, file);
}

TrainState load_checkpoint(const std::string& path, const TrainSettings& settings, Model& model, Optimizer& optimizer) {
  const TensorFile file = read_tensor_file(path);
  try {
    return restore(file, settings, model, optimizer);
  } catch (const Json::exception& error) {
    refuse("'" + path + "': its settings cannot be read: " + error.what());
  } catch (const Error& error) {
    refuse("'" + path + "': " + error.what());
  }
}

void save_weights(const std::string& path, Model& model) {
  write_tensor_file(path, {.metadata = {{"network", network_text(model.network())}}, .tensors = weight_tensors(model)});
}

}  // namespace actforge
