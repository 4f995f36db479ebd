#include "actforge/torch/fisher/kfac_spectrum.h"

#include <algorithm>
#include <chrono>
#include <exception>

namespace actforge {
namespace {

using torch::Tensor;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kWeightsPerBin = 100;

// The eigenvalues of both factors of one layer.
struct FactorLogs {
  LogEigenvalues omega, gamma;
};

LogEigenvalues eigenvalue_logs(const Tensor& factor) {
  const Tensor values = torch::linalg_eigvalsh(factor).contiguous();
  const double* begin = values.data_ptr<double>();
  return log_eigenvalues({begin, begin + values.numel()});
}

// The largest first, so that no thread is left with it at the end.
std::vector<FactorLogs> all_eigenvalue_logs(const std::vector<KroneckerFactors>& factors) {
  std::vector<FactorLogs> logs(factors.size());
  std::vector<std::pair<const Tensor*, LogEigenvalues*>> tasks;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    tasks.emplace_back(&factors[i].omega, &logs[i].omega);
    tasks.emplace_back(&factors[i].gamma, &logs[i].gamma);
  }
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const auto& a, const auto& b) { return a.first->size(0) > b.first->size(0); });
  const auto count = static_cast<std::int64_t>(tasks.size());
  std::exception_ptr failure;  // none may leave a parallel region: it would end the process
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int64_t i = 0; i < count; ++i) {
    const auto& [factor, target] = tasks[static_cast<std::size_t>(i)];
    try {
      *target = eigenvalue_logs(*factor);
    } catch (...) {
#pragma omp critical(eigenvalue_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return logs;
}

// The middle of the bin that holds the middle one of all eigenvalues.
double median_of(const std::vector<std::int64_t>& counts, std::int64_t all) {
  std::size_t bin = 0;
  for (std::int64_t below = counts[0]; 2 * below < all; below += counts[bin]) ++bin;
  return kLeastLog + (static_cast<double>(bin) + 0.5) * (kMostLog - kLeastLog) / static_cast<double>(counts.size());
}

LayerSpectrum layer_spectrum(const Layer& layer, const FactorLogs& logs) {
  LayerSpectrum spectrum = {.name = layer.name, .weights = layer.weight_count()};
  spectrum.omega = static_cast<std::int64_t>(logs.omega.values.size());
  spectrum.gamma = static_cast<std::int64_t>(logs.gamma.values.size());
  spectrum.omega_rank = static_cast<double>(logs.omega.rank);
  spectrum.gamma_rank = static_cast<double>(logs.gamma.rank);
  spectrum.min_log = logs.omega.values.front() + logs.gamma.values.front();
  spectrum.max_log = logs.omega.values.back() + logs.gamma.values.back();
  const auto bins = static_cast<std::size_t>(spectrum.weights / kWeightsPerBin);
  spectrum.cdf = cumulative(count_sums(logs.omega.values, logs.gamma.values, bins));
  return spectrum;
}

FisherSpectrum fail(FisherSpectrum spectrum, const std::string& reason) {
  spectrum.valid = false;
  spectrum.reason = reason;
  spectrum.layers.clear();
  spectrum.network.clear();
  return spectrum;
}

}  // namespace

FisherSpectrum spectrum_of_factors(const Network& network, const KfacAnswer& answer) {
  FisherSpectrum spectrum;
  fisher_feature_count(network, &spectrum.skipped);
  if (!answer.failure.empty()) return fail(std::move(spectrum), answer.failure);
  spectrum.skipped.insert(spectrum.skipped.end(), answer.untouched.begin(), answer.untouched.end());
  const std::vector<FactorLogs> logs = all_eigenvalue_logs(answer.factors);
  spectrum.network.assign(kNetworkBins, 0);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const Layer& layer = network.layer(answer.factors[i].layer);
    if (logs[i].omega.values.empty()) return fail(std::move(spectrum), "the input is zero at '" + layer.name + "'");
    if (logs[i].gamma.values.empty()) return fail(std::move(spectrum), "no gradient reaches '" + layer.name + "'");
    LayerSpectrum row = layer_spectrum(layer, logs[i]);
    if (row.max_log > kMostLog) return fail(std::move(spectrum), "the spectrum of '" + layer.name + "' explodes");
    if (row.max_log < kLeastLog) return fail(std::move(spectrum), "the spectrum of '" + layer.name + "' vanishes");
    const std::vector<std::int64_t> counts = count_sums(logs[i].omega.values, logs[i].gamma.values, kNetworkBins);
    for (std::size_t bin = 0; bin < kNetworkBins; ++bin) spectrum.network[bin] += static_cast<float>(counts[bin]);
    row.median_log = median_of(counts, row.weights);
    if (!row.cdf.empty()) spectrum.layers.push_back(std::move(row));
  }
  return spectrum;
}

FisherSpectrum kfac_spectrum(Model& model, const KfacBatch& batch) {
  const Clock::time_point begin = Clock::now();
  FisherSpectrum spectrum = spectrum_of_factors(model.network(), kfac_factors(model, batch));
  spectrum.repeats = 1;
  spectrum.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return spectrum;
}

std::size_t fisher_feature_count(const Network& network, std::vector<SkippedLayer>* skipped) {
  std::vector<SkippedLayer> left_out = unfactored_layers(network);
  std::size_t count = 0;
  for (const LayerId id : factored_layers(network)) {
    const Layer& layer = network.layer(id);
    const std::int64_t bins = layer.weight_count() / kWeightsPerBin;
    count += static_cast<std::size_t>(bins);
    if (bins == 0) {
      left_out.push_back({layer.name, "fewer than " + std::to_string(kWeightsPerBin) + " weights make no histogram"});
    }
  }
  if (skipped != nullptr) skipped->insert(skipped->end(), left_out.begin(), left_out.end());
  return count;
}

}  // namespace actforge
