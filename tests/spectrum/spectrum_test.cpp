#include "actforge/spectrum/spectrum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

std::vector<double> normals(std::size_t count, double mean, double deviation, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& v : values) v = mean + deviation * random.normal();
  return values;
}

TEST(Spectrum, CountsAllSums) {
  const std::vector<double> a = normals(30, -10, 20, 1), b = normals(17, 5, 40, 2);
  const std::vector<std::int64_t> counts = count_sums(a, b, 64);
  std::vector<double> sums;
  for (const double x : a) {
    for (const double y : b) sums.push_back(x + y);
  }
  for (std::size_t bin = 0; bin < 64; ++bin) {
    const double low = bin == 0 ? -1e300 : -100 + 200.0 / 64 * static_cast<double>(bin);
    const double high = bin == 63 ? 1e300 : -100 + 200.0 / 64 * static_cast<double>(bin + 1);
    EXPECT_EQ(counts[bin], std::count_if(sums.begin(), sums.end(), [&](double s) { return s >= low && s < high; }));
  }
  EXPECT_EQ(count_sums(std::vector{100.0}, std::vector{0.0}, 4), (std::vector<std::int64_t>{0, 0, 0, 1}));
  EXPECT_EQ(count_sums(std::vector{-1e9}, std::vector{0.0}, 4), (std::vector<std::int64_t>{1, 0, 0, 0}));
}

// With equally many values, the distance is the mean difference of the sorted ones.
TEST(Spectrum, WassersteinIsTheMeanDifferenceOfSortedValues) {
  std::vector<double> a = normals(400, -10, 8, 3), b = normals(400, 4, 3, 4);
  const std::vector<double> zero = {0};
  const std::size_t bins = 20'000;
  const double got =
      wasserstein(cumulative(count_sums(a, zero, bins)), cumulative(count_sums(b, zero, bins)), 200.0 / bins);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double expected = 0;
  for (std::size_t i = 0; i < a.size(); ++i) expected += std::abs(a[i] - b[i]) / static_cast<double>(a.size());
  EXPECT_NEAR(got, expected, 200.0 / bins);
}

TEST(Spectrum, EigenvaluesBelowTheResolutionCountAsIt) {
  const LogEigenvalues logs = log_eigenvalues(std::vector{2.0, 0.0, -1e-9, 1e-3, 1e-20});
  EXPECT_EQ(logs.rank, 2);
  ASSERT_EQ(logs.values.size(), 5u);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(logs.values[i], std::log(2.0 * kEigenvalueResolution));
  EXPECT_DOUBLE_EQ(logs.values[3], std::log(1e-3));
  EXPECT_DOUBLE_EQ(logs.values[4], std::log(2.0));
  EXPECT_TRUE(log_eigenvalues(std::vector{0.0, -1e-30}).values.empty());
  EXPECT_TRUE(log_eigenvalues({}).values.empty());
}

FisherSpectrum spectrum(std::uint64_t seed) {
  FisherSpectrum result;
  for (const std::size_t bins : {7u, 30u}) {
    LayerSpectrum layer = {.name = "layer", .weights = static_cast<std::int64_t>(100 * bins)};
    layer.cdf = cumulative(count_sums(normals(40, -10, 20, seed), normals(9, 0, 10, seed + 1), bins));
    layer.min_log = -static_cast<double>(seed);
    layer.max_log = static_cast<double>(seed);
    result.layers.push_back(layer);
  }
  result.network.assign(kNetworkBins, static_cast<float>(seed));
  result.repeats = 1;
  return result;
}

TEST(Spectrum, ManhattanDistanceOfFeaturesIsTheDistance) {
  const FisherSpectrum a = spectrum(10), b = spectrum(20);
  const std::vector<float> x = fisher_features(a), y = fisher_features(b);
  ASSERT_EQ(x.size(), 37u);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - y[i]);
  EXPECT_GT(sum, 0.1);
  EXPECT_NEAR(fisher_distance(a, b), sum, 1e-5 * sum);
  EXPECT_EQ(fisher_distance(a, a), 0);
}

TEST(Spectrum, AveragesHaveASpread) {
  const std::vector<FisherSpectrum> repeats = {spectrum(10), spectrum(20)};
  const FisherSpectrum mean = average_spectra(repeats);
  ASSERT_EQ(mean.layers.size(), 2u);
  EXPECT_EQ(mean.repeats, 2);
  EXPECT_EQ(mean.network[5], 15);
  EXPECT_EQ(mean.layers[0].min_log, -20);
  EXPECT_EQ(mean.layers[0].max_log, 20);
  // In the middle of two: half of their distance from each.
  EXPECT_NEAR(mean.noise, fisher_distance(repeats[0], repeats[1]) / 2, 1e-5);
  EXPECT_NEAR(mean.layers[0].spread + mean.layers[1].spread, mean.noise, 1e-12);
  EXPECT_EQ(average_spectra(std::span(repeats).first(1)).noise, 0);
}

TEST(Spectrum, AnInvalidRepeatMakesTheAverageInvalid) {
  std::vector<FisherSpectrum> repeats = {spectrum(1), spectrum(2)};
  repeats[1].valid = false;
  repeats[1].reason = "it explodes";
  const FisherSpectrum mean = average_spectra(repeats);
  EXPECT_FALSE(mean.valid);
  EXPECT_EQ(mean.reason, "it explodes");
  EXPECT_THROW(fisher_distance(repeats[0], repeats[1]), Error);
  FisherSpectrum other = spectrum(3);
  other.layers.pop_back();
  EXPECT_THROW(fisher_distance(repeats[0], other), Error);
}

}  // namespace
}  // namespace actforge
