#include "actforge/spectrum/spectrum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "actforge/base/error.h"

namespace actforge {

LogEigenvalues log_eigenvalues(std::span<const double> eigenvalues) {
  LogEigenvalues logs;
  if (eigenvalues.empty()) return logs;
  const double largest = *std::max_element(eigenvalues.begin(), eigenvalues.end());
  if (!(largest > 0)) return logs;
  const double least = largest * kEigenvalueResolution;
  for (const double value : eigenvalues) {
    logs.values.push_back(std::log(std::max(value, least)));
    if (value > least) ++logs.rank;
  }
  std::sort(logs.values.begin(), logs.values.end());
  return logs;
}

std::vector<std::int64_t> count_sums(std::span<const double> a, std::span<const double> b, std::size_t bins) {
  std::vector<std::int64_t> counts(bins, 0);
  if (bins == 0) return counts;
  const double per_unit = static_cast<double>(bins) / (kMostLog - kLeastLog), last = static_cast<double>(bins - 1);
  for (const double x : a) {
    for (const double y : b) {
      ++counts[static_cast<std::size_t>(std::clamp((x + y - kLeastLog) * per_unit, 0.0, last))];
    }
  }
  return counts;
}

std::vector<float> cumulative(std::span<const std::int64_t> counts) {
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  std::vector<float> shares;
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    sum += count;
    shares.push_back(static_cast<float>(static_cast<double>(sum) / all));
  }
  return shares;
}

double wasserstein(std::span<const float> a, std::span<const float> b, double bin_width) {
  if (a.size() != b.size()) throw Error(ErrorCode::kFailed, "two distributions have different bins");
  double area = 0;
  for (std::size_t i = 0; i < a.size(); ++i) area += std::abs(static_cast<double>(a[i]) - b[i]);
  return area * bin_width;
}

double fisher_distance(const FisherSpectrum& a, const FisherSpectrum& b) {
  if (!a.valid || !b.valid) throw Error(ErrorCode::kFailed, "an invalid spectrum has no distance from another one");
  if (a.layers.size() != b.layers.size()) throw Error(ErrorCode::kFailed, "the spectra are of different networks");
  double sum = 0;
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    sum += wasserstein(a.layers[i].cdf, b.layers[i].cdf, a.layers[i].bin_width());
  }
  return sum;
}

std::vector<float> fisher_features(const FisherSpectrum& spectrum) {
  std::vector<float> features;
  for (const LayerSpectrum& layer : spectrum.layers) {
    for (const float share : layer.cdf) features.push_back(share * static_cast<float>(layer.bin_width()));
  }
  return features;
}

FisherSpectrum average_spectra(std::span<const FisherSpectrum> repeats) {
  if (repeats.empty()) throw Error(ErrorCode::kFailed, "there is no spectrum to average");
  const auto invalid = std::find_if(repeats.begin(), repeats.end(), [](const FisherSpectrum& s) { return !s.valid; });
  FisherSpectrum mean = invalid == repeats.end() ? repeats[0] : *invalid;
  mean.repeats = static_cast<std::int64_t>(repeats.size());
  mean.seconds = 0;
  for (const FisherSpectrum& repeat : repeats) mean.seconds += repeat.seconds;
  if (!mean.valid || repeats.size() == 1) return mean;
  const double share = 1 / static_cast<double>(repeats.size());
  const auto blend = [&](auto& target, const auto& value_of) {
    double sum = 0;
    for (const FisherSpectrum& repeat : repeats) sum += static_cast<double>(value_of(repeat));
    target = static_cast<std::remove_reference_t<decltype(target)>>(sum * share);
  };
  for (std::size_t i = 0; i < mean.network.size(); ++i) {
    blend(mean.network[i], [&](const FisherSpectrum& s) { return s.network[i]; });
  }
  for (std::size_t l = 0; l < mean.layers.size(); ++l) {
    LayerSpectrum& layer = mean.layers[l];
    blend(layer.omega_rank, [&](const FisherSpectrum& s) { return s.layers[l].omega_rank; });
    blend(layer.median_log, [&](const FisherSpectrum& s) { return s.layers[l].median_log; });
    blend(layer.gamma_rank, [&](const FisherSpectrum& s) { return s.layers[l].gamma_rank; });
    for (std::size_t i = 0; i < layer.cdf.size(); ++i) {
      blend(layer.cdf[i], [&](const FisherSpectrum& s) { return s.layers[l].cdf[i]; });
    }
    for (const FisherSpectrum& repeat : repeats) {
      layer.min_log = std::min(layer.min_log, repeat.layers[l].min_log);
      layer.max_log = std::max(layer.max_log, repeat.layers[l].max_log);
      layer.spread += share * wasserstein(layer.cdf, repeat.layers[l].cdf, layer.bin_width());
    }
    mean.noise += layer.spread;
  }
  return mean;
}

}  // namespace actforge
