// Spectra on real images.
#include "actforge/torch/fisher/fisher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/import/find_network.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/torch/fisher/kfac_spectrum.h"

namespace actforge {
namespace {

Network mini(const std::string& function = "relu(x)") {
  Network network = build_network("allcnn-mini", {.input = {1, 8, 8}, .classes = 10});
  network.set_activation(parse(function));
  return network;
}

FisherProbe probe(const FisherOptions& options, std::uint64_t seed = 0, std::size_t threads = 2) {
  return FisherProbe(
      {.dataset = &find_dataset("digits"), .options = options, .run = {.seed = seed, .threads = threads}});
}

Network on_digits(const std::string& layers) {
  return parse_network_text("network n\nx = input(shape=1x8x8)\n" + layers + "return y\n");
}

// The dissertation's numbers of features.
TEST(Fisher, FeatureLengthsOfTheDissertation) {
  EXPECT_EQ(fisher_feature_count(build_network("allcnn-c")), 13'692u);
  EXPECT_EQ(fisher_feature_count(build_network("resnet-v2-56")), 16'500u);
  std::vector<SkippedLayer> skipped;
  fisher_feature_count(build_network("resnet-v2-56"), &skipped);
  ASSERT_FALSE(skipped.empty());
  EXPECT_EQ(skipped[0].why, "no factors for layers of kind 'batch_norm'");
}

TEST(Fisher, CountsAllEigenvalues) {
  const FisherSpectrum spectrum = probe({.batch = 64}).measure(mini());
  ASSERT_TRUE(spectrum.valid) << spectrum.reason;
  double weights = 0, counted = 0;
  for (const LayerSpectrum& layer : spectrum.layers) {
    EXPECT_EQ(layer.omega * layer.gamma, layer.weights) << layer.name;
    EXPECT_EQ(layer.cdf.size(), static_cast<std::size_t>(layer.weights / 100));
    EXPECT_FLOAT_EQ(layer.cdf.back(), 1);
    EXPECT_LT(layer.min_log, layer.median_log);
    EXPECT_LT(layer.median_log, layer.max_log);
    EXPECT_TRUE(std::is_sorted(layer.cdf.begin(), layer.cdf.end()));
    weights += static_cast<double>(layer.weights);
  }
  for (const float count : spectrum.network) counted += count;
  // The first layer has too few weights for a histogram: it is in the picture, not in the features.
  EXPECT_EQ(counted, static_cast<double>(mini().weight_count()));
  EXPECT_LE(weights, counted);
  // The gradients by the logits of a sample sum to zero, so the last Γ never has full rank.
  EXPECT_EQ(spectrum.layers.back().gamma_rank, static_cast<double>(spectrum.layers.back().gamma - 1));
}

// Weights are drawn alike around zero, so a function and its negative behave alike; another function does not.
TEST(Fisher, AFunctionAndItsNegativeHaveEqualSpectra) {
  const std::vector<Expr> functions = {parse("elu(x)"),   parse("-elu(x)"), parse("tanh(x)"),
                                       parse("-tanh(x)"), parse("abs(x)"),  parse("-abs(x)")};
  const std::vector<FisherSpectrum> spectra = probe({.batch = 128, .draws = 10}).measure_all(mini(), functions);
  for (std::size_t i = 0; i < functions.size(); i += 2) {
    ASSERT_TRUE(spectra[i].valid && spectra[i + 1].valid);
    // Two means of ten repeats each differ by about √(2/10) of what single ones lie apart.
    const double noise = (spectra[i].noise + spectra[i + 1].noise) / 2;
    EXPECT_LT(fisher_distance(spectra[i], spectra[i + 1]), noise) << i;
    const double other = fisher_distance(spectra[i], spectra[(i + 2) % functions.size()]);
    EXPECT_GT(other, 3 * fisher_distance(spectra[i], spectra[i + 1])) << i;
  }
}

TEST(Fisher, TheSameSeedGivesTheSameSpectrum) {
  const FisherOptions options = {.batch = 32, .batches = 2, .draws = 2};
  const FisherSpectrum one = probe(options, 5, 1).measure(mini("swish(x)"));
  const FisherSpectrum two = probe(options, 5, 2).measure(mini("swish(x)"));
  const std::vector<Expr> functions = {parse("tanh(x)"), parse("swish(x)"), parse("relu(x)")};
  const std::vector<FisherSpectrum> all = probe(options, 5, 2).measure_all(mini(), functions);
  EXPECT_EQ(one.repeats, 4);
  EXPECT_GT(one.noise, 0);
  // Sums in another order: an eigenvalue may fall on the other side of the end of its bin.
  EXPECT_LT(fisher_distance(one, two), 1e-2 * one.noise);
  EXPECT_LT(fisher_distance(one, all[1]), 1e-2 * one.noise);
  EXPECT_GT(fisher_distance(one, probe(options, 6).measure(mini("swish(x)"))), 0.1 * one.noise);
}

// More images, less noise: what a repeat is for.
TEST(Fisher, LargerBatchesAreLessNoisy) {
  const FisherSpectrum small = probe({.batch = 16, .batches = 8}).measure(mini());
  const FisherSpectrum large = probe({.batch = 128, .batches = 8}).measure(mini());
  EXPECT_GT(small.noise, 1.5 * large.noise);
}

TEST(Fisher, ABatchOfOneHasASpectrum) {
  const FisherSpectrum spectrum = probe({.batch = 1}).measure(mini());
  ASSERT_TRUE(spectrum.valid) << spectrum.reason;
  // The last layer is averaged over places: one sample has one gradient.
  EXPECT_EQ(spectrum.layers.back().gamma_rank, 1);
}

TEST(Fisher, WhatIsUndefinedOrDeadIsAResult) {
  const auto reason = [](const Network& network, const FisherOptions& options = {.batch = 32}) {
    const FisherSpectrum spectrum = probe(options).measure(network);
    EXPECT_FALSE(spectrum.valid);
    EXPECT_TRUE(spectrum.layers.empty() && spectrum.network.empty());
    return spectrum.reason;
  };
  const FisherOptions he = {.batch = 32, .init = "he-normal"};
  EXPECT_NE(reason(mini("arctanh(x)"), he).find("is undefined or too large"), std::string::npos);
  EXPECT_NE(reason(mini("exp(exp(exp(x)))"), he).find("is undefined or too large"), std::string::npos);
  EXPECT_NE(reason(mini("zero(x)"), he).find("no gradient reaches 'conv_"), std::string::npos);
  // Without finite moments AutoInit has no weights.
  EXPECT_FALSE(reason(mini("exp(exp(exp(x)))")).empty());
  // Large but finite; labels of the data, since a network that is so sure draws only what it predicts.
  const FisherOptions by_data = {.batch = 32, .labels = "data", .init = "he-normal"};
  EXPECT_NE(reason(mini("1e5*x"), by_data).find("explodes"), std::string::npos);
  // A layer that nothing comes into: its bias is left out, so Ω is zero.
  const Network dead = on_digits(
      "a = activation(x, function=zero(x))\nf = flatten(a)\nd = dense(f, units=30, bias=false)\ny = dense(d, "
      "units=10)\n");
  EXPECT_EQ(reason(dead, he), "the input is zero at 'd'");
}

TEST(Fisher, LayersWithoutFactorsAreNamed) {
  const FisherSpectrum spectrum = probe({.batch = 16})
                                      .measure(on_digits("c = conv(x, filters=20, kernel=3)\nb = batch_norm(c)\n"
                                                         "a = activation(b, function=alpha*tanh(x))\n"
                                                         "g = global_average_pool(a)\nf = flatten(g)\n"
                                                         "y = dense(f, units=10)\n"));
  ASSERT_TRUE(spectrum.valid) << spectrum.reason;
  std::vector<std::string> names;
  for (const SkippedLayer& layer : spectrum.skipped) names.push_back(layer.name);
  EXPECT_EQ(names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(spectrum.layers.size(), 2u);
}

TEST(Fisher, WrongInput) {
  EXPECT_THROW(probe({.batch = 5000}), Error);
  EXPECT_THROW(probe({.batch = 16, .init = "nobody"}), Error);
  EXPECT_THROW(probe({.batch = 16}).measure(build_network("allcnn-c")), Error);
}

TEST(Fisher, CanBeStopped) {
  const std::vector<Expr> functions(6, parse("relu(x)"));
  std::atomic<std::size_t> told = 0;
  const FisherProbe probe({.dataset = &find_dataset("digits"),
                           .options = {.batch = 16},
                           .run = {.threads = 2, .stop = [&] { return told >= 2; }}});
  try {
    probe.measure_all(mini(), functions, {.end = [&](std::size_t, const FisherSpectrum&) { ++told; }});
    ADD_FAILURE() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
  EXPECT_GE(told, 2u);
  EXPECT_LT(told, functions.size());
}

// One function with many draws may take minutes: it is asked before every batch.
TEST(Fisher, CanBeStoppedBetweenBatches) {
  std::size_t asked = 0, limit = 1000;
  const FisherProbe probe({.dataset = &find_dataset("digits"),
                           .options = {.batch = 16, .batches = 4, .draws = 3},
                           .run = {.threads = 1, .stop = [&] { return ++asked > limit; }}});
  EXPECT_TRUE(probe.measure(mini()).valid);
  EXPECT_GE(asked, 12u);
  for (limit = 0; limit < 12; ++limit) {
    asked = 0;
    try {
      probe.measure(mini());
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
    EXPECT_EQ(asked, limit + 1);
  }
}

}  // namespace
}  // namespace actforge
