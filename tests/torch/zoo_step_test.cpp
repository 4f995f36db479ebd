// Steps of networks whose samples are words, which the data sets of images cannot train.
#include <gtest/gtest.h>

#include "actforge/init/weight_plan.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/torch/execute/model.h"
#include "actforge/torch/train/initialise.h"

namespace actforge {
namespace {

using torch::Tensor;

// A class is a word that the sample has somewhere.
TEST(ZooStep, NetworksForTextLearn) {
  for (const Architecture& row : architectures()) {
    if (!row.text) continue;
    const Network network = build_network(row.example, {.input = {9}, .classes = 3, .vocabulary = 20});
    Model model(network);
    set_initial_weights(model, plan_weights(network, {}), 1);
    torch::manual_seed(1);
    const Tensor labels = torch::randint(0, 3, {60}, torch::kInt64);
    Tensor words = torch::randint(3, 20, {60, 9}, torch::kInt64);
    words.select(1, 4).copy_(labels);
    const auto loss = [&](bool training, std::uint64_t seed) {
      const Tensor logits = model.forward({words}, model.logits(), training, seed);
      return torch::cross_entropy_loss(logits, labels);
    };
    const double before = loss(false, 0).item<double>();
    for (std::uint64_t step = 0; step < 40; ++step) {
      loss(true, step).backward();
      const torch::NoGradGuard no_grad;
      for (ModelWeight& weight : model.weights()) {
        if (!weight.tensor.grad().defined()) continue;
        weight.tensor.sub_(weight.tensor.grad(), 0.1);
        weight.tensor.mutable_grad().zero_();
      }
    }
    EXPECT_LT(loss(false, 0).item<double>(), 0.5 * before) << row.name;
  }
}

}  // namespace
}  // namespace actforge
