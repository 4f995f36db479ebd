// Executes networks of the zoo for zoo_frameworks_test.py, and measures what a step of their training costs.
//   zoo_driver logits NET CLASSES IN OUT   IN has the tensor "input" and every weight by its name, such as
//   conv_1.kernel;
//                                          OUT gets "float" and "double", the logits in either precision
//   zoo_driver step NET INPUT BATCH        one step with momentum on random images of extents INPUT: 3x224x224
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "actforge/base/error.h"
#include "actforge/init/weight_plan.h"
#include "actforge/net/graph/tensor_file.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/torch/execute/model.h"
#include "actforge/torch/execute/threads.h"
#include "actforge/torch/train/initialise.h"
#include "actforge/torch/train/optimizer.h"

namespace {

using namespace actforge;
using torch::Tensor;

using Tensors = std::map<std::string, NamedTensor>;

Tensors read_tensors(const char* path) {
  Tensors tensors;
  for (NamedTensor& tensor : read_tensor_file(path).tensors) tensors.emplace(tensor.name, std::move(tensor));
  return tensors;
}

const NamedTensor& find(const Tensors& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw Error(ErrorCode::kBadInput, "there is no tensor '" + name + "'");
  return found->second;
}

NamedTensor logits(const Network& network, const Tensors& tensors, const char* name, const ModelOptions& options) {
  Model model(network, options);
  std::size_t used = 1;  // the input
  for (ModelWeight& weight : model.weights()) {
    const NamedTensor& tensor = find(tensors, weight.name);
    if (tensor.shape != weight.weight->shape) {
      throw Error(ErrorCode::kBadInput,
                  weight.name + " is " + shape_text(weight.weight->shape) + " here, not " + shape_text(tensor.shape));
    }
    model.set_weight(weight, tensor.values);
    ++used;
  }
  if (used != tensors.size()) {
    throw Error(ErrorCode::kBadInput,
                std::to_string(tensors.size()) + " tensors are given, and " + std::to_string(used) + " are used");
  }
  const NamedTensor& input = find(tensors, "input");
  const torch::NoGradGuard no_grad;
  const Tensor x = torch::tensor(input.values).reshape(input.shape).to(options.type);
  const Tensor y = model.forward({x}, model.logits(), false).to(torch::kFloat32).contiguous();
  return {.name = name, .shape = y.sizes().vec(), .values = {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()}};
}

void write_logits(const char* net, const char* classes, const char* in, const char* out) {
  const Tensors tensors = read_tensors(in);
  const Shape& batch = find(tensors, "input").shape;
  const Network network =
      build_network(net, {.input = Shape(batch.begin() + 1, batch.end()), .classes = std::stoi(classes)});
  const ModelOptions plain = {
      .backend = ActivationBackend::kOperators, .channels_last = false, .type = torch::kFloat64};
  write_tensor_file(out,
                    {.tensors = {logits(network, tensors, "float", {}), logits(network, tensors, "double", plain)}});
}

void take_step(const char* net, const char* input, int batch) {
  set_threads(2);
  Shape shape = parse_shape(input);
  const Network network = build_network(net, {.input = shape});
  Model model(network);
  set_initial_weights(model, plan_weights(network, {}), 0);
  const TrainOptions options = {.optimizer = "nesterov"};
  std::vector<LearnedWeight> learned;
  for (const ModelWeight& weight : model.weights()) {
    if (is_learned(weight.weight->role)) learned.push_back({.tensor = weight.tensor});
  }
  Optimizer optimizer(options, learned);
  shape.insert(shape.begin(), batch);
  const bool words = network.layer(0).output.indices;
  const Tensor x = words ? torch::randint(0, 10'000, shape, torch::kInt64) : torch::randn(shape);
  const Tensor labels = torch::randint(0, 10, {batch}, torch::kInt64);
  for (int step = 0; step < 2; ++step) {  // memory is as it will be after the second one
    const auto begin = std::chrono::steady_clock::now();
    const Tensor loss = torch::cross_entropy_loss(model.forward({x}, model.logits(), true, 1), labels);
    loss.backward();
    optimizer.step(0.001);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("loss %.4g, %.1f s\n", loss.item<double>(), seconds);
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count == 6 && std::strcmp(arguments[1], "logits") == 0) {
      write_logits(arguments[2], arguments[3], arguments[4], arguments[5]);
      return 0;
    }
    if (count == 5 && std::strcmp(arguments[1], "step") == 0) {
      take_step(arguments[2], arguments[3], std::stoi(arguments[4]));
      return 0;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 2;
}
