#include "actforge/torch/train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/optim.h>

#include "actforge/base/error.h"
#include "actforge/recipe/schedule.h"

namespace actforge {
namespace {

using torch::Tensor;

Tensor loss_of(const Tensor& w) { return (w.pow(4) + (w - 1).square()).sum(); }

// Twenty steps of ours and of LibTorch's own optimizer from the same start, the rate changing on the way.
template <class Theirs, class Settings>
void expect_same_path(const TrainOptions& options, double decay, const Settings& settings) {
  torch::manual_seed(1);
  Tensor ours = torch::randn({3, 5}, torch::kFloat64).requires_grad_();
  Tensor theirs = ours.detach().clone().requires_grad_();
  Optimizer optimizer(options, {{ours, 1, decay}});
  Theirs reference({theirs}, settings);
  for (int step = 0; step < 20; ++step) {
    const double rate = step < 10 ? 0.01 : 0.003;
    loss_of(ours).backward();
    optimizer.step(rate);
    reference.zero_grad();
    loss_of(theirs).backward();
    reference.param_groups()[0].options().set_lr(rate);
    reference.step();
    ASSERT_TRUE(torch::allclose(ours, theirs, 1e-10, 1e-12)) << options.optimizer << " " << step;
  }
}

TEST(Optimizer, StepsAsLibTorchDoes) {
  using torch::optim::AdamOptions, torch::optim::AdamWOptions, torch::optim::SGDOptions;
  expect_same_path<torch::optim::SGD>({.optimizer = "sgd", .momentum = 0}, 0, SGDOptions(0.1));
  expect_same_path<torch::optim::SGD>({.optimizer = "sgd"}, 0.1, SGDOptions(0.1).momentum(0.9).weight_decay(0.1));
  expect_same_path<torch::optim::SGD>({.optimizer = "nesterov"}, 0.1,
                                      SGDOptions(0.1).momentum(0.9).weight_decay(0.1).nesterov(true));
  expect_same_path<torch::optim::Adam>({.optimizer = "adam"}, 0.1, AdamOptions(0.1).weight_decay(0.1));
  expect_same_path<torch::optim::AdamW>({.optimizer = "adamw"}, 0.1, AdamWOptions(0.1).weight_decay(0.1));
}

TEST(Optimizer, DecoupledDecayShrinksBesideTheGradient) {
  Tensor w = torch::ones({2}, torch::kFloat64).requires_grad_();
  Optimizer optimizer({.optimizer = "sgd", .momentum = 0, .decay = "decoupled"}, {{w, 2, 0.5}});
  (w * torch::tensor({1.0, 0.0}, torch::kFloat64)).sum().backward();
  optimizer.step(0.1);  // the weight's own rate is 0.2
  EXPECT_NEAR(w[0].item<double>(), 0.9 - 0.2, 1e-12);
  EXPECT_NEAR(w[1].item<double>(), 0.9, 1e-12);
  EXPECT_FALSE(w.grad().defined());
}

TEST(Schedule, WarmsUpAndFalls) {
  const TrainOptions cosine = {.epochs = 11, .learning_rate = 2, .schedule = "cosine", .warmup = 1, .warmup_from = 1};
  EXPECT_DOUBLE_EQ(learning_rate_at(cosine, 0), 1);
  EXPECT_DOUBLE_EQ(learning_rate_at(cosine, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(learning_rate_at(cosine, 1), 2);
  EXPECT_DOUBLE_EQ(learning_rate_at(cosine, 6), 1);
  EXPECT_NEAR(learning_rate_at(cosine, 11), 0, 1e-15);
  const TrainOptions linear = {.epochs = 10, .learning_rate = 2, .schedule = "linear", .final_rate = 1};
  EXPECT_DOUBLE_EQ(learning_rate_at(linear, 2.5), 1.75);
  const TrainOptions step = {.learning_rate = 1, .schedule = "step", .drops = "2,4", .drop_factor = 0.5};
  EXPECT_DOUBLE_EQ(learning_rate_at(step, 1.99), 1);
  EXPECT_DOUBLE_EQ(learning_rate_at(step, 2), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate_at(step, 9), 0.25);
  EXPECT_DOUBLE_EQ(learning_rate_at({.learning_rate = 3, .schedule = "constant"}, 9), 3);
}

TEST(Schedule, RefusesDropsThatDoNotRise) {
  for (const char* text : {"4,2", "a", "1,,2", "1,2,", "-1", "nan"}) EXPECT_THROW(read_drops(text), Error) << text;
  EXPECT_EQ(read_drops("60,120,160"), (std::vector<double>{60, 120, 160}));
  EXPECT_THROW(check_options({.schedule = "step"}), Error);
}

TEST(TrainOptions, FieldsReadWhatTheyPrint) {
  TrainOptions options;
  for (const TrainField& field : train_fields()) {
    const std::string text = field_text(options, field);
    set_field(options, field, text);
    EXPECT_EQ(field_text(options, field), text) << field.name;
    if (!std::holds_alternative<std::string TrainOptions::*>(field.member)) {
      EXPECT_THROW(set_field(options, field, "wrong"), Error) << field.name;
    } else if (!field.words.empty()) {
      EXPECT_THROW(set_field(options, field, "wrong"), Error) << field.name;
    }
  }
  for (const Recipe& recipe : recipes()) EXPECT_NO_THROW(check_options(recipe.options())) << recipe.name;
}

}  // namespace
}  // namespace actforge
