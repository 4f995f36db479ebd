// Every kind of layer as LibTorch computes it: its shape is the one inferred, its gradients are those of finite
// differences. What it computes is compared with plain loops in layer_values_test.cpp.
#include <gtest/gtest.h>

#include <set>

#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "actforge/torch/execute/model.h"
#include "tests/problems/layer_problems.h"

namespace actforge {
namespace {

using torch::Tensor;

Network read(const problems::LayerProblem& problem) {
  return parse_network_text("network " + problem.name + "\n" + problem.lines);
}

class EveryLayer : public testing::TestWithParam<problems::LayerProblem> {};

struct Fixture {
  Network network;
  Model model;
  Tensor input, seeds;  // `seeds` weighs the outputs
  bool training;

  explicit Fixture(const problems::LayerProblem& problem)
      : network(read(problem)),
        model(network, {.backend = ActivationBackend::kOperators, .channels_last = false, .type = torch::kFloat64}),
        training(true) {
    torch::manual_seed(7);
    std::vector<std::int64_t> shape = network.layer(0).output.shape;
    shape.insert(shape.begin(), 3);
    const bool indices = network.layer(0).output.indices;
    input = indices ? torch::randint(0, 6, shape) : torch::randn(shape, torch::kFloat64);
    const torch::NoGradGuard no_grad;
    for (ModelWeight& weight : model.weights()) {
      weight.tensor.copy_(torch::randn(weight.tensor.sizes(), torch::kFloat64) * 0.5 + 0.1);
      if (weight.weight->role == WeightRole::kRunningVariance) weight.tensor.abs_().add_(0.5);
    }
  }

  Tensor output() const { return model.forward({input}, network.outputs()[0], training, 11); }
  Tensor loss() {
    const Tensor y = output();
    if (!seeds.defined()) seeds = torch::randn(y.sizes(), torch::kFloat64);
    return (y * seeds).sum();
  }
};

void expect_slopes(Fixture& fixture, Tensor& variable, const std::string& name) {
  const Tensor gradient = variable.grad().clone();
  const torch::NoGradGuard no_grad;
  const double step = 1e-6;
  double* values = variable.data_ptr<double>();
  ASSERT_TRUE(variable.is_contiguous());
  for (std::int64_t i = 0; i < variable.numel(); ++i) {
    const double kept = values[i];
    values[i] = kept + step;
    const double above = fixture.loss().item<double>();
    values[i] = kept - step;
    const double below = fixture.loss().item<double>();
    values[i] = kept;
    const double slope = (above - below) / (2 * step), given = gradient.reshape(-1)[i].item<double>();
    ASSERT_NEAR(given, slope, 1e-6 * (1 + std::abs(slope))) << name << " [" << i << "]";
  }
}

TEST_P(EveryLayer, HasTheSlopesOfFiniteDifferences) {
  Fixture fixture(GetParam());
  const bool values = !fixture.network.layer(0).output.indices;
  if (values) fixture.input.set_requires_grad(true);
  fixture.loss().backward();
  for (ModelWeight& weight : fixture.model.weights()) {
    if (is_learned(weight.weight->role)) expect_slopes(fixture, weight.tensor, weight.name);
  }
  if (values) expect_slopes(fixture, fixture.input, "input");
}

TEST_P(EveryLayer, HasTheInferredShapes) {
  const Fixture fixture(GetParam());
  for (LayerId id = 0; id < fixture.network.layers().size(); ++id) {
    std::vector<std::int64_t> wanted = fixture.network.layer(id).output.shape;
    // A constant is a batch of one, which the layers that use it repeat.
    wanted.insert(wanted.begin(), fixture.network.layer(id).kind == &kConstantLayer ? 1 : 3);
    for (const bool training : {false, true}) {
      EXPECT_EQ(fixture.model.forward({fixture.input}, id, training).sizes(), torch::IntArrayRef(wanted));
    }
  }
}

// LSUV scales a kernel to scale the output, AutoInit has a rule for it: both go by what the kind says of its kernel.
TEST_P(EveryLayer, FollowsItsKernelAsItsKindSays) {
  Fixture fixture(GetParam());
  const torch::NoGradGuard no_grad;
  for (LayerId id = 0; id < fixture.network.layers().size(); ++id) {
    if (fixture.network.layer(id).shares) continue;  // its weights are another layer's
    std::vector<Tensor> kernels;
    for (ModelWeight& weight : fixture.model.weights()) {
      if (weight.layer != id) continue;
      if (weight.weight->role == WeightRole::kKernel) kernels.push_back(weight.tensor);
      if (weight.weight->role == WeightRole::kBias) weight.tensor.zero_();
    }
    const LayerKind& kind = *fixture.network.layer(id).kind;
    ASSERT_EQ(kernels.empty(), kind.kernel == KernelUse::kNone) << kind.name;
    if (kernels.empty()) continue;
    const auto output = [&] { return fixture.model.forward({fixture.input}, id, false); };
    const Tensor before = output().clone();
    for (Tensor& kernel : kernels) kernel.mul_(2);
    EXPECT_EQ(torch::allclose(output(), before * 2), kind.kernel == KernelUse::kLinear) << kind.name;
    for (Tensor& kernel : kernels) kernel.div_(2);
  }
}

TEST_P(EveryLayer, GivesTheSameInEveryLayout) {
  const Network network = read(GetParam());
  Fixture slow(GetParam());
  slow.training = false;
  Model fast(network);  // float32, fused, channels last
  for (std::size_t i = 0; i < fast.weights().size(); ++i) {
    fast.set_weight(fast.weights()[i], Model::weight_values(slow.model.weights()[i]));
  }
  Tensor x = slow.input.is_floating_point() ? slow.input.to(torch::kFloat32) : slow.input;
  if (x.dim() == 4) x = x.contiguous(torch::MemoryFormat::ChannelsLast);
  if (x.dim() == 5) x = x.contiguous(torch::MemoryFormat::ChannelsLast3d);
  const Tensor y = fast.forward({x}, network.outputs()[0], false);
  EXPECT_TRUE(torch::allclose(y.to(torch::kFloat64), slow.output(), 1e-4, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Layers, EveryLayer, testing::ValuesIn(problems::layer_problems()),
                         [](const auto& test) { return test.param.name; });

TEST(Layers, EveryKindHasAProblem) {
  std::set<std::string_view> seen;
  for (const problems::LayerProblem& problem : problems::layer_problems()) {
    for (const Layer& layer : read(problem).layers()) seen.insert(layer.kind->name);
  }
  for (const LayerKind* kind : layer_kinds()) {
    EXPECT_NE(seen.contains(kind->name), kind == &kOpaqueLayer) << kind->name;
  }
}

template <class... Columns>
concept MakesARow = requires(Columns&... columns) {
  LayerExecution{columns...};
};
using Make = LayerFunction(const LayerSetting&, ActivationBackend);
using Patches = std::optional<PatchShape>(const LayerSetting&);
static_assert(MakesARow<const LayerKind, Make, Patches>);
static_assert(!MakesARow<const LayerKind, Make>, "a row that says nothing of K-FAC should not compile");
static_assert(!MakesARow<const LayerKind>);

TEST(Layers, EveryKindHasOneExecution) {
  std::size_t rows = 0;
  for (const auto& family : {basic_executions(), linear_executions(), merge_executions(), pool_executions(),
                             recurrent_executions(), shape_executions()}) {
    rows += family.size();
  }
  EXPECT_EQ(rows, layer_kinds().size());
  for (const LayerKind* kind : layer_kinds()) {
    EXPECT_NO_THROW(EXPECT_EQ(&find_layer_execution(*kind).kind, kind)) << kind->name;
  }
}

TEST(Layers, DropoutKeepsTheMeanAndFollowsItsSeed) {
  const Network network =
      parse_network_text("network d\nx = input(shape=4x20x20)\ny = dropout(x, rate=0.3)\nreturn y\n");
  const Model model(network);
  const Tensor ones = torch::ones({64, 4, 20, 20});
  const Tensor y = model.forward({ones}, 1, true, 5);
  EXPECT_NEAR(y.mean().item<double>(), 1, 0.01);  // 102,400 draws: four standard deviations are 0.008
  EXPECT_NEAR(y.eq(0).to(torch::kFloat64).mean().item<double>(), 0.3, 0.006);
  EXPECT_TRUE(torch::equal(y, model.forward({ones}, 1, true, 5)));
  EXPECT_FALSE(torch::equal(y, model.forward({ones}, 1, true, 6)));
  EXPECT_TRUE(torch::equal(ones, model.forward({ones}, 1, false, 5)));
}

TEST(Layers, SpatialDropoutDropsWholeChannels) {
  const Network network =
      parse_network_text("network d\nx = input(shape=4x5x5)\ny = spatial_dropout(x, rate=0.5)\nreturn y\n");
  const Tensor y = Model(network).forward({torch::ones({50, 4, 5, 5})}, 1, true, 3);
  const Tensor share = y.eq(0).to(torch::kFloat64).mean({2, 3});
  EXPECT_TRUE((share.eq(0) | share.eq(1)).all().item<bool>());
  EXPECT_NEAR(share.mean().item<double>(), 0.5, 0.15);
}

}  // namespace
}  // namespace actforge
