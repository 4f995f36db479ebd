#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/function_map.h"
#include "actforge/search/output_features.h"
#include "actforge/space_options.h"
#include "actforge/spectrum_options.h"

namespace actforge::tool {

// What `actforge embed` was asked.
struct EmbedOptions : SpectrumOptions {
  SpaceOptions space;
  std::string features = "outputs";  // or fisher, or both
  std::optional<std::uint64_t> count;
  OutputOptions outputs;
  MapOptions map;
  std::string study;
  bool measure = false;
  std::vector<std::string> files;
  bool json = false;

  bool wants_outputs() const { return features != "fisher"; }
  bool wants_spectra() const { return features != "outputs"; }
  // Whether spectra are measured; otherwise they are those that the study has.
  bool measures() const { return measure || !net.empty(); }
};

}  // namespace actforge::tool
