#include "tools/actforge/fisher/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/actforge/common/table.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

nlohmann::json layer_json(const LayerSpectrum& layer) {
  return {{"name", layer.name},       {"weights", layer.weights},       {"omega", layer.omega},
          {"gamma", layer.gamma},     {"omega_rank", layer.omega_rank}, {"gamma_rank", layer.gamma_rank},
          {"min_log", layer.min_log}, {"max_log", layer.max_log},       {"spread", layer.spread},
          {"cdf", layer.cdf}};
}

nlohmann::json spectrum_json(const std::string& function, const FisherSpectrum& spectrum) {
  nlohmann::json layers = nlohmann::json::array(), skipped = nlohmann::json::array();
  for (const LayerSpectrum& layer : spectrum.layers) layers.push_back(layer_json(layer));
  for (const SkippedLayer& layer : spectrum.skipped) skipped.push_back({{"name", layer.name}, {"why", layer.why}});
  return {{"activation", function},          {"layers", std::move(layers)},   {"valid", spectrum.valid},
          {"reason", spectrum.reason},       {"skipped", std::move(skipped)}, {"repeats", spectrum.repeats},
          {"noise", number(spectrum.noise)}, {"seconds", spectrum.seconds}};
}

// NaN where one of them is not valid.
double distance(const FisherSpectrum& a, const FisherSpectrum& b) {
  return a.valid && b.valid ? fisher_distance(a, b) : std::nan("");
}

void print_spectrum(const std::string& function, const FisherSpectrum& spectrum) {
  if (!spectrum.valid) {
    fmt::print("{}: no valid spectrum: {}\n", function, spectrum.reason);
    return;
  }
  fmt::print("{}: logarithms of the eigenvalues\n\n", function);
  std::vector<std::vector<std::string>> rows;
  const auto log = [](double value) { return fmt::format("{:.1f}", value); };
  const auto rank = [](double known, std::int64_t side) { return fmt::format("{:.4g} of {}", known, side); };
  rows.reserve(spectrum.layers.size());
  for (const LayerSpectrum& layer : spectrum.layers) {
    rows.push_back({layer.name, fmt::format("{}", layer.weights), rank(layer.omega_rank, layer.omega),
                    rank(layer.gamma_rank, layer.gamma), log(layer.min_log), log(layer.median_log), log(layer.max_log),
                    spectrum.repeats > 1 ? fmt::format("{:.2f}", layer.spread) : "-"});
  }
  print_table({"layer", "#weights", "#rank of omega", "#rank of gamma", "#least", "#median", "#most", "#spread"},
              std::move(rows));
  std::string repeats = fmt::format("{} repeat{}", spectrum.repeats, spectrum.repeats == 1 ? "" : "s");
  if (spectrum.repeats > 1) repeats += fmt::format(", {:.2f} from their mean on average", spectrum.noise);
  fmt::print("\n{}, {:.2f} s\n", repeats, spectrum.seconds);
}

void print_distances(const FisherAnswer& answer) {
  constexpr std::size_t kMost = 12;
  if (answer.spectra.size() < 2 || answer.spectra.size() > kMost) return;
  fmt::print("\ndistances; of a function to itself: that of its repeats to their mean\n\n");
  std::vector<std::string> titles = {"function"};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < answer.spectra.size(); ++i) {
    titles.push_back(fmt::format("#{}", i + 1));
    std::vector<std::string> row = {fmt::format("{} {}", i + 1, answer.functions[i])};
    for (std::size_t j = 0; j < answer.spectra.size(); ++j) {
      const FisherSpectrum& a = answer.spectra[i];
      const double value = i != j ? distance(a, answer.spectra[j]) : a.repeats > 1 ? a.noise : std::nan("");
      row.push_back(std::isnan(value) ? "-" : fmt::format("{:.2f}", value));
    }
    rows.push_back(std::move(row));
  }
  print_table(std::move(titles), std::move(rows));
}

}  // namespace

nlohmann::json fisher_json(const FisherAnswer& answer) {
  if (answer.spectra.size() == 1) return spectrum_json(answer.functions[0], answer.spectra[0]);
  nlohmann::json functions = nlohmann::json::array(), distances = nlohmann::json::array();
  for (std::size_t i = 0; i < answer.spectra.size(); ++i) {
    functions.push_back(spectrum_json(answer.functions[i], answer.spectra[i]));
    nlohmann::json row = nlohmann::json::array();
    for (const FisherSpectrum& other : answer.spectra) row.push_back(number(distance(answer.spectra[i], other)));
    distances.push_back(std::move(row));
  }
  return {{"functions", std::move(functions)}, {"distances", std::move(distances)}};
}

void print_fisher(const FisherAnswer& answer) {
  for (std::size_t i = 0; i < answer.spectra.size(); ++i) {
    if (i > 0) fmt::print("\n");
    print_spectrum(answer.functions[i], answer.spectra[i]);
  }
  print_distances(answer);
  if (answer.spectra.empty() || answer.spectra[0].skipped.empty()) return;
  fmt::print("\nleft out:\n");
  for (const SkippedLayer& layer : answer.spectra[0].skipped) fmt::print("  {}: {}\n", layer.name, layer.why);
}

LinePlot spectrum_plot(const FisherAnswer& answer) {
  constexpr std::size_t kMerged = 5;  // bins of a tenth are finer than a picture can show
  const double width = (kMostLog - kLeastLog) / kNetworkBins * kMerged;
  LinePlot plot = {.title = "Eigenvalues of the Fisher information: " + answer.title,
                   .x_label = "logarithm of the eigenvalue",
                   .y_label = "share of the eigenvalues per unit"};
  constexpr double kVisible = 1e-3;  // of the highest
  std::size_t first = kNetworkBins / kMerged, last = 0;
  std::vector<std::vector<double>> shares;
  for (const FisherSpectrum& spectrum : answer.spectra) {
    std::vector<double> heights(kNetworkBins / kMerged, 0);
    double all = 0;
    for (const float count : spectrum.network) all += count;
    for (std::size_t i = 0; i < spectrum.network.size(); ++i)
      heights[i / kMerged] += spectrum.network[i] / (all * width);
    const double highest = *std::max_element(heights.begin(), heights.end());
    for (std::size_t i = 0; i < heights.size(); ++i) {
      if (heights[i] <= kVisible * highest) continue;
      first = std::min(first, i);
      last = std::max(last, i);
    }
    shares.push_back(std::move(heights));
  }
  for (std::size_t f = 0; f < shares.size(); ++f) {
    Series series = {.label = answer.functions[f] + (answer.spectra[f].valid ? "" : " (no valid spectrum)")};
    for (std::size_t i = first > 0 ? first - 1 : 0; i <= std::min(last + 1, shares[f].size() - 1); ++i) {
      series.x.push_back(kLeastLog + width * (static_cast<double>(i) + 0.5));
      series.y.push_back(shares[f][i]);
    }
    plot.series.push_back(std::move(series));
  }
  plot.y_min = 0;
  return plot;
}

}  // namespace actforge::tool
