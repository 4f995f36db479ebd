#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "actforge/report/plots/line_plot.h"
#include "actforge/spectrum/spectrum.h"

namespace actforge::tool {

struct FisherAnswer {
  std::string title = {};  // network and data
  std::vector<std::string> functions = {};
  std::vector<FisherSpectrum> spectra = {};  // one per function
};

// Of one function its own object, of several a list and the distances between them.
nlohmann::json fisher_json(const FisherAnswer& answer);
// A table of layers for each function, and of distances.
void print_fisher(const FisherAnswer& answer);
// How all eigenvalues of the network are distributed, a curve for each function.
LinePlot spectrum_plot(const FisherAnswer& answer);

}  // namespace actforge::tool
