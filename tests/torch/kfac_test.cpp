// Factors against gradients of single samples, as LibTorch computes them for the weights themselves.
#include "actforge/torch/fisher/kfac.h"

#include <gtest/gtest.h>

#include <set>

#include "actforge/net/graph/network_text.h"
#include "actforge/torch/fisher/kfac_spectrum.h"
#include "actforge/torch/train/initialise.h"
#include "tests/problems/fisher_problems.h"
#include "tests/problems/layer_problems.h"

namespace actforge {
namespace {

using torch::Tensor;

void draw(Model& model, std::uint64_t seed) {
  torch::manual_seed(seed);
  for (ModelWeight& weight : model.weights()) {
    const torch::NoGradGuard no_grad;
    if (is_learned(weight.weight->role)) weight.tensor.normal_(0, 0.5);
  }
}

Tensor inputs_of(const Network& network, std::int64_t samples) {
  std::vector<std::int64_t> sizes = {samples};
  for (const std::int64_t extent : network.layer(0).output.shape) sizes.push_back(extent);
  return torch::randn(sizes) + 0.2;
}

// The gradient of one sample's loss by [bias, kernel] of a layer, [outputs, 1 + taps · channels].
Tensor weight_gradient(Model& model, const Tensor& image, std::int64_t label, LayerId layer) {
  std::vector<Tensor> weights;
  for (ModelWeight& weight : model.weights()) {
    weight.tensor.set_requires_grad(weight.layer == layer);
    if (weight.layer == layer) weights.push_back(weight.tensor);
  }
  const Tensor logits = model.forward({image.unsqueeze(0)}, model.logits(), true, 0);
  const Tensor loss = -torch::log_softmax(logits, 1)[0][label];
  const std::vector<Tensor> gradients = torch::autograd::grad({loss}, weights);
  Tensor kernel = gradients[0];  // [outputs, channels, taps...]
  kernel = kernel.dim() > 2 ? kernel.movedim(1, -1) : kernel;
  kernel = kernel.flatten(1);
  if (gradients.size() == 1) return kernel.to(torch::kFloat64);
  return torch::cat({gradients[1].unsqueeze(1), kernel}, 1).to(torch::kFloat64);
}

// Of one sample at one place the block of the Fisher information is Ω ⊗ Γ without any approximation: with
// vec(D) = ā ⊗ d of the gradient D = d āᵀ.
TEST(Kfac, OneSampleAtOnePlaceIsExact) {
  for (const problems::FisherProblem& problem : problems::one_place_problems()) {
    Model model(parse_network_text(problem.text));
    draw(model, 3);
    const Tensor image = inputs_of(model.network(), 1);
    const Tensor labels = torch::full({1}, 1, torch::kInt64);
    const KfacAnswer answer = kfac_factors(model, {.images = image, .labels = labels, .kind = FisherLabels::kData});
    ASSERT_EQ(answer.failure, "") << problem.name;
    ASSERT_FALSE(answer.factors.empty());
    for (const KroneckerFactors& f : answer.factors) {
      const Tensor gradient = weight_gradient(model, image[0], 1, f.layer).t().reshape({-1});
      const Tensor expected = torch::outer(gradient, gradient), got = torch::kron(f.omega, f.gamma);
      ASSERT_EQ(got.sizes(), expected.sizes()) << problem.name;
      EXPECT_LT((got - expected).abs().max().item<double>(), 1e-5 * (1e-3 + expected.abs().max().item<double>()))
          << problem.name << " " << model.network().layer(f.layer).name;
    }
  }
}

// Each layer with weights has factors, or is said to have none.
TEST(Kfac, EveryLayerWithWeightsIsCounted) {
  std::set<std::string_view> with_factors;
  for (const problems::LayerProblem& problem : problems::layer_problems()) {
    const Network network = parse_network_text("network " + problem.name + "\n" + problem.lines);
    std::size_t with_weights = 0;
    for (const Layer& layer : network.layers()) with_weights += layer.parameter_count() > 0 ? 1 : 0;
    const std::vector<LayerId> factored = factored_layers(network);
    EXPECT_EQ(factored.size() + unfactored_layers(network).size(), with_weights) << problem.name;
    for (const LayerId id : factored) with_factors.insert(network.layer(id).kind->name);
  }
  EXPECT_EQ(with_factors, (std::set<std::string_view>{"conv", "depthwise_conv", "dense"}));
}

// All layer types: the sum over places of a sample's patches and gradients, sample by sample. Patches times gradients
// must give the gradient of the weights, so the patches are the ones that the layer sees.
TEST(Kfac, FactorsEqualThoseOfSingleSamples) {
  for (const problems::FisherProblem& problem : problems::fisher_problems()) {
    Model model(parse_network_text(problem.text));
    draw(model, 5);
    constexpr std::int64_t kSamples = 4;
    const Tensor images = inputs_of(model.network(), kSamples);
    const Tensor labels = torch::tensor({0, 2, 1, 0}, torch::kInt64);
    const KfacBatch batch = {.images = images, .labels = labels, .kind = FisherLabels::kData};
    const KfacAnswer whole = kfac_factors(model, batch);
    ASSERT_EQ(whole.failure, "") << problem.name;
    for (std::size_t l = 0; l < whole.factors.size(); ++l) {
      Tensor omega, gamma;
      double places = 0;
      for (std::int64_t n = 0; n < kSamples; ++n) {
        const problems::LayerPassage passage =
            problems::watch_layer(model, whole.factors[l].layer, images.slice(0, n, n + 1), labels[n].item<int>());
        const Tensor a = passage.patches.t().mm(passage.patches), d = passage.gradients.t().mm(passage.gradients);
        omega = n == 0 ? a : omega + a;
        gamma = n == 0 ? d : gamma + d;
        places = static_cast<double>(passage.gradients.size(0));
        if (passage.groups > 1) continue;
        const Tensor expected = weight_gradient(model, images[n], labels[n].item<int>(), whole.factors[l].layer);
        const Tensor product = passage.gradients.t().mm(passage.patches);
        EXPECT_LT((product - expected).abs().max().item<double>(), 1e-4) << problem.name;
      }
      EXPECT_TRUE(torch::allclose(whole.factors[l].omega, omega / kSamples, 1e-5, 1e-7)) << problem.name;
      EXPECT_TRUE(torch::allclose(whole.factors[l].gamma, gamma / (kSamples * places), 1e-4, 1e-9)) << problem.name;
    }
  }
}

// A linear network with two classes whose logits differ by ±c for every sample: then what the loss feels does not
// depend on the sample, patches and gradients are independent, and K-FAC is no approximation. The Fisher information
// itself: over samples and both labels, by their probability.
TEST(Kfac, OfALinearNetworkTheSpectrumIsThatOfTheFisherInformation) {
  Model model(parse_network_text(problems::kLinearNetwork));
  draw(model, 11);
  for (ModelWeight& weight : model.weights()) {
    const torch::NoGradGuard no_grad;
    if (weight.weight->role == WeightRole::kBias) weight.tensor.zero_();
  }
  const Tensor images = problems::two_sided_inputs(model, 40);
  const KfacAnswer answer = kfac_factors(model, {.images = images, .labels = {}, .kind = FisherLabels::kEvery});
  const Tensor shares = torch::softmax(model.forward({images}, model.logits(), true), 1).detach();
  ASSERT_EQ(answer.factors.size(), 3u);
  for (const KroneckerFactors& f : answer.factors) {
    Tensor fisher;
    for (std::int64_t n = 0; n < images.size(0); ++n) {
      for (std::int64_t c = 0; c < 2; ++c) {
        const Tensor gradient = weight_gradient(model, images[n], c, f.layer).t().reshape({-1});
        const Tensor part =
            torch::outer(gradient, gradient) * (shares[n][c].item<double>() / static_cast<double>(images.size(0)));
        fisher = fisher.defined() ? fisher + part : part;
      }
    }
    const Tensor expected = torch::linalg_eigvalsh(fisher);
    const Tensor got = torch::linalg_eigvalsh(torch::kron(f.omega, f.gamma));
    EXPECT_LT((got - expected).abs().max().item<double>(), 1e-5 * expected.max().item<double>());
    EXPECT_GT(expected.max().item<double>(), 1e-4);
  }
}

// Labels of the model: with many samples of one image, the mean over drawn labels is that over all of them.
TEST(Kfac, DrawnLabelsEstimateTheTrueFisher) {
  Model model(parse_network_text(problems::kSmallDense));
  draw(model, 2);
  const Tensor image = inputs_of(model.network(), 1), images = image.repeat({20'000, 1});
  const KfacAnswer every = kfac_factors(model, {.images = image, .labels = {}, .kind = FisherLabels::kEvery});
  const KfacAnswer drawn =
      kfac_factors(model, {.images = images, .labels = {}, .kind = FisherLabels::kModel, .seed = 1});
  for (std::size_t l = 0; l < every.factors.size(); ++l) {
    const Tensor& expected = every.factors[l].gamma;
    const double scale = expected.abs().max().item<double>();
    EXPECT_LT((drawn.factors[l].gamma - expected).abs().max().item<double>(), 0.05 * scale);
  }
}

TEST(Kfac, KroneckerEigenvaluesAreThoseOfTheProduct) {
  const Tensor a = torch::randn({6, 9}, torch::kFloat64), b = torch::randn({4, 7}, torch::kFloat64);
  const Tensor omega = a.mm(a.t()), gamma = b.mm(b.t());
  const auto logs = [](const Tensor& m) {
    const Tensor values = torch::linalg_eigvalsh(m).contiguous();
    return log_eigenvalues({values.data_ptr<double>(), static_cast<std::size_t>(values.numel())}).values;
  };
  std::vector<double> sums;
  for (const double x : logs(omega)) {
    for (const double y : logs(gamma)) sums.push_back(x + y);
  }
  std::sort(sums.begin(), sums.end());
  const std::vector<double> expected = logs(torch::kron(omega, gamma));
  ASSERT_EQ(sums.size(), expected.size());
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], 1e-8);
}

// The eigenvalues of all factors are computed at once, on several threads.
TEST(Kfac, AFactorWithoutEigenvaluesIsAnErrorForTheCaller) {
  const Network network =
      parse_network_text("network n\nx = input(shape=3)\na = dense(x, units=4)\nb = dense(a, units=2)\nreturn b\n");
  const auto square = [](std::int64_t size) { return torch::eye(size, torch::kFloat64); };
  KfacAnswer answer = {.factors = {{1, square(4), square(4)}, {2, square(5), square(2)}}};
  EXPECT_TRUE(spectrum_of_factors(network, answer).valid);
  answer.factors[1].omega = torch::ones({5, 4}, torch::kFloat64);
  EXPECT_THROW(spectrum_of_factors(network, answer), std::exception);
  answer.factors[0].gamma = torch::ones({3, 4}, torch::kFloat64);
  EXPECT_THROW(spectrum_of_factors(network, answer), std::exception);
}

// Two uses of the same weights are places of one layer.
TEST(Kfac, SharedWeightsAreOneLayer) {
  Model model(parse_network_text(problems::kSharedDense));
  draw(model, 4);
  const Tensor images = inputs_of(model.network(), 3);
  const KfacAnswer answer =
      kfac_factors(model, {.images = images, .labels = torch::zeros({3}, torch::kInt64), .kind = FisherLabels::kData});
  ASSERT_EQ(answer.factors.size(), 2u);
  // Each use adds a one to the product of the bias with itself.
  EXPECT_NEAR(answer.factors[0].omega[0][0].item<double>(), 2, 1e-12);
}

TEST(Kfac, NamesWhatIsUndefined) {
  Network network = parse_network_text(problems::kSmallDense);
  network.set_activation(parse("arctanh(x)"));  // NaN beyond -1 and 1
  Model model(network);
  draw(model, 2);
  const KfacAnswer answer = kfac_factors(model, {.images = inputs_of(network, 8)});
  EXPECT_EQ(answer.failure, "the input of 'b' is undefined or too large");
}

}  // namespace
}  // namespace actforge
