#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actforge/search/maps/function_map.h"
#include "actforge/search/maps/output_features.h"
#include "tools/actforge/fisher/spectrum_options.h"
#include "tools/actforge/space/options.h"

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
