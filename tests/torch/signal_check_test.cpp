// What AutoInit predicts, measured: random input, random weights, LibTorch.
#include "actforge/torch/train/signal_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/torch/train/initialise.h"

namespace actforge {
namespace {

// All-CNN-C, but its first four of nine convolutions with a dropout between, on images half as wide: a second instead
// of a minute. repro/autoinit_allcnn_c.py has the whole of it.
Network cut_allcnn(double dropout) {
  return parse_network_text(
      "network cut\nx = input(shape=3x16x16)\n"
      "c1 = conv(x, filters=96, kernel=3, padding=same)\na1 = activation(c1)\n"
      "c2 = conv(a1, filters=96, kernel=3, padding=same)\na2 = activation(c2)\n"
      "c3 = conv(a2, filters=96, kernel=3, stride=2, padding=same)\nd1 = dropout(c3, rate=" +
      std::to_string(dropout) +
      ")\nc4 = conv(d1, filters=96, kernel=3, padding=same)\na4 = activation(c4)\n"
      "c5 = conv(a4, filters=10, kernel=1)\nreturn c5\n");
}

TEST(SignalCheck, ConvolutionsHaveThePredictedVariance) {
  for (const char* function : {"relu(x)", "tanh(x)", "swish(x)", "selu(x)"}) {
    for (const double dropout : {0.0, 0.3, 0.7}) {
      Network network = cut_allcnn(dropout);
      network.set_activation(parse(function));
      const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit")});
      const MeasuredSignals measured =
          measure_signals(network, plan, {0, 1}, {}, {.draws = 40, .samples = 2, .run = {.threads = 1}});
      for (LayerId id = 0; id < network.layers().size(); ++id) {
        if (network.layer(id).kind != &kConvLayer) continue;
        ASSERT_TRUE(measured[id]);
        // Of ten channels the variance itself varies: by about 45% between draws, 7% in their mean.
        const double tolerance = network.layer(id).output.shape[0] == 10 ? 0.25 : 0.05;
        EXPECT_NEAR(measured[id]->variance, 1, tolerance)
            << function << ", dropout " << dropout << ", " << network.layer(id).name;
        EXPECT_NEAR(measured[id]->mean, 0, 0.1);
      }
    }
  }
}

// Places of a channel share its weights, so averages over them vary more than those of independent numbers: by a factor
// of twenty here. A gate that multiplies all places of a channel keeps it so.
TEST(SignalCheck, AveragesOverPlacesHaveThePredictedVariance) {
  Network network = parse_network_text(
      "network pools\nx = input(shape=3x12x12)\n"
      "c1 = conv(x, filters=64, kernel=3, padding=same)\na1 = activation(c1)\n"
      "c2 = conv(a1, filters=64, kernel=3, padding=same)\na2 = activation(c2)\np2 = average_pool(a2, size=2)\n"
      "c3 = conv(p2, filters=64, kernel=3, padding=same)\nm3 = max_pool(c3, size=2)\n"
      "s = global_average_pool(m3)\nf = flatten(s)\nd = dense(f, units=64)\ng = activation(d, function=sigmoid(x))\n"
      "r = reshape(g, shape=64x1x1)\ny = multiply(m3, r)\nc4 = conv(y, filters=64, kernel=1)\n"
      "s4 = global_average_pool(c4)\nf4 = flatten(s4)\nd4 = dense(f4, units=64)\nreturn d4\n");
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit")});
  const MeasuredSignals measured =
      measure_signals(network, plan, {0, 1}, {}, {.draws = 60, .samples = 4, .run = {.threads = 1}});
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const SignalMoments& predicted = plan.analysis.nodes[id].output;
    ASSERT_TRUE(measured[id]);
    EXPECT_NEAR(measured[id]->variance, predicted.variance, 0.12 * predicted.variance + 3 * measured[id]->error)
        << network.layer(id).name;
    EXPECT_LT(measured[id]->error, 0.1 * predicted.variance) << network.layer(id).name;
  }
}

TEST(SignalCheck, OtherInitialisersAsPredicted) {
  const Network network = cut_allcnn(0.5);
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("he-normal")});
  const MeasuredSignals measured =
      measure_signals(network, plan, {0.3, 2}, {}, {.draws = 40, .samples = 2, .run = {.threads = 1}});
  const SignalAnalysis predicted =
      plan_weights(network, {.initialiser = &find_initialiser("he-normal"), .analysis = {.input = {0.3, 2}}}).analysis;
  for (LayerId id = 0; id + 1 < network.layers().size(); ++id) {
    EXPECT_NEAR(measured[id]->variance / predicted.nodes[id].output.variance, 1, 0.08) << network.layer(id).name;
  }
}

TEST(SignalCheck, WhatCannotBeExecutedIsLeftOut) {
  const Network network = parse_network_text(
      "network odd\nx = input(shape=4)\na = dense(x, units=4)\nm = opaque(a, type=Mystery, shape=4)\n"
      "b = dense(m, units=3)\nc = dense(a, units=3)\nreturn b, c\n");
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit")});
  const MeasuredSignals measured = measure_signals(network, plan, {0, 1}, {}, {});
  EXPECT_TRUE(measured[1].has_value());
  EXPECT_FALSE(measured[2].has_value());
  EXPECT_FALSE(measured[3].has_value());
  EXPECT_TRUE(measured[4].has_value());
}

TEST(SignalCheck, NumbersOfTheFileAreUsed) {
  const Network network = parse_network_text(
      "network gains\nx = input(shape=4x5)\nn = batch_norm(x)\nc = constant(shape=4x5, mean=3)\ny = add(n, c)\n"
      "return y\n");
  const FileValues file = [&](LayerId layer, std::size_t weight) {
    if (layer == 1 && weight == 0) return std::vector<float>{1, 2, 3, 4};
    if (layer == 2) return std::vector<float>(20, 3);
    return std::vector<float>();
  };
  PlanOptions options = {.initialiser = &find_initialiser("autoinit")};
  options.analysis.file = file;
  const WeightPlan plan = plan_weights(network, options);
  EXPECT_NEAR(plan.analysis.nodes[1].output.variance, 7.5, 1e-3);  // (1 + 4 + 9 + 16)/4
  const MeasuredSignals measured = measure_signals(network, plan, {0, 1}, file, {.samples = 500});
  EXPECT_NEAR(measured[1]->variance, 7.5, 0.1);
  EXPECT_NEAR(measured[3]->mean, 3, 0.05);
}

// A program that uses the library has random numbers of its own.
TEST(SignalCheck, LeavesTheGeneratorOfTheProcessAlone) {
  const Network network = cut_allcnn(0.5);
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("lsuv")});
  torch::manual_seed(5);
  const torch::Tensor next = torch::rand({8});
  torch::manual_seed(5);
  measure_signals(network, plan, {0, 1}, {},
                  {.draws = 2, .samples = 2, .scale_by_samples = true, .run = {.threads = 1}});
  weights_by_samples(network, plan, {0, 1}, {}, {.samples = 2, .run = {.threads = 1}});
  EXPECT_TRUE(torch::equal(torch::rand({8}), next));
}

TEST(SignalCheck, FollowsItsSeed) {
  const Network network = cut_allcnn(0.5);
  const WeightPlan plan = plan_weights(network, {});
  const auto variance = [&](std::uint64_t seed) {
    const SignalCheckOptions options = {.draws = 1, .samples = 2, .run = {.seed = seed, .threads = 1}};
    return measure_signals(network, plan, {0, 1}, {}, options)[0]->variance;  // of the input
  };
  EXPECT_EQ(variance(3), variance(3));
  EXPECT_NE(variance(3), variance(4));
}

TEST(SignalCheck, CanBeStoppedAtEveryLayer) {
  const Network network = cut_allcnn(0.5);
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("lsuv")});
  std::size_t asked = 0, limit = 1'000'000, shown = 0;
  const RunContext run = {.threads = 1,
                          .stop = [&] { return ++asked > limit; },
                          .progress = [&](std::string_view, std::size_t, std::size_t) { ++shown; }};
  const auto measure = [&](bool by_samples) {
    asked = 0;
    measure_signals(network, plan, {0, 1}, {}, {.draws = 2, .samples = 2, .scale_by_samples = by_samples, .run = run});
  };
  const auto scale = [&] {
    asked = 0;
    weights_by_samples(network, plan, {0, 1}, {}, {.samples = 2, .run = run});
  };
  const std::size_t layers = network.layers().size();
  measure(false);
  EXPECT_EQ(asked, 2 * (layers + 1));
  EXPECT_EQ(shown, 2u);
  measure(true);
  EXPECT_EQ(asked, 2 * (2 * layers + 1));
  scale();
  EXPECT_EQ(asked, layers);
  limit = 3;
  for (const std::function<void()>& work :
       {std::function<void()>([&] { measure(false); }), std::function<void()>([&] { measure(true); }),
        std::function<void()>(scale)}) {
    try {
      work();
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
    EXPECT_EQ(asked, 4u);
  }
}

TEST(Lsuv, GivesEveryLayerThePlannedVarianceOnItsSamples) {
  const Network network = build_network("allcnn-mini");
  const WeightPlan plan =
      plan_weights(network, {.initialiser = &find_initialiser("lsuv"), .analysis = {.signal_variance = 2}});
  Model model(network);
  set_initial_weights(model, plan, 1);
  torch::manual_seed(1);
  const auto shape = network.layer(0).output.shape;
  const torch::Tensor input = torch::randn({8, shape[0], shape[1], shape[2]}) * 3 + 1;
  scale_by_samples(model, plan, {input});
  std::size_t seen = 0;
  model.walk({input}, true, 0, [&](LayerId id, const torch::Tensor& value) {
    if (network.layer(id).kind != &kConvLayer) return;
    ++seen;
    EXPECT_NEAR(value.var(false).item<double>(), 2, 2e-3) << network.layer(id).name;
    EXPECT_NEAR(plan.analysis.nodes[id].output.variance, 2, 1e-9) << network.layer(id).name;
  });
  EXPECT_EQ(seen, 7u);
}

// Section "Stability in Deep ResNets": 270 residual blocks without normalisation.
class DeepResnet : public ::testing::Test {
 protected:
  // Measured over predicted variance, the least and the largest of all residual sums.
  std::pair<double, double> measure(const std::string& method, std::size_t draws) {
    const WeightPlan plan = plan_weights(network_, {.initialiser = &find_initialiser(method)});
    const bool by_samples = find_initialiser(method).rule == InitRule::kMeasured;
    const MeasuredSignals measured =
        measure_signals(network_, plan, {0, 1}, {},
                        {.draws = draws, .samples = 4, .scale_by_samples = by_samples, .run = {.threads = 1}});
    std::pair<double, double> range = {std::numeric_limits<double>::infinity(), 0};
    std::size_t sums = 0;
    for (LayerId id = 0; id < network_.layers().size(); ++id) {
      if (by_samples && network_.layer(id).kind == &kConvLayer) {
        EXPECT_NEAR(measured[id]->variance, 1, 0.2) << network_.layer(id).name;
      }
      if (network_.layer(id).kind != &kAddLayer) continue;
      ++sums;
      largest_ = std::max(largest_, measured[id]->variance);
      const double ratio = measured[id]->variance / plan.analysis.nodes[id].output.variance;
      range = {std::min(range.first, ratio), std::max(range.second, ratio)};
    }
    EXPECT_EQ(sums, 270u);
    return range;
  }

  const Network network_ = build_network("resnet-v2-812-nobn", {.input = {3, 8, 8}});
  double largest_ = 0;  // variance
};

TEST_F(DeepResnet, OverflowsFromHesWeights) {
  measure("he-normal", 1);
  EXPECT_GT(largest_, static_cast<double>(std::numeric_limits<float>::max()));
}

TEST_F(DeepResnet, GrowsAsPredictedFromAutoInitsOnAverage) {
  const auto [least, most] = measure("autoinit", 24);
  EXPECT_GT(least, 0.5);
  EXPECT_LT(most, 2);
}

// In single draws the variance is up to four times smaller, for all of a stage; LSUV corrects what chance did.
TEST_F(DeepResnet, GrowsAsPredictedFromLsuvsInEveryDraw) {
  const auto [least, most] = measure("lsuv", 1);
  EXPECT_GT(least, 0.5);
  EXPECT_LT(most, 2);
}

}  // namespace
}  // namespace actforge
