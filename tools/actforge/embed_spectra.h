#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "actforge/embed_options.h"
#include "actforge/search/study.h"

namespace actforge::tool {

// A function's spectrum as features; without numbers where there is none that is valid.
using SpectrumFeatures = std::vector<float>;

// Measures spectra for a map.
class SpectrumMeter {
 public:
  virtual ~SpectrumMeter() = default;
  // Called after each function; to stop, it returns false.
  using Observer = std::function<bool(std::size_t done, std::size_t total)>;
  // One for each function, unless it was stopped.
  virtual std::vector<SpectrumFeatures> measure(std::span<const Expr> functions, const Observer& observer) = 0;
};
// Those of a study are kept there. In actforge the process becomes the one with LibTorch.
std::unique_ptr<SpectrumMeter> make_spectrum_meter(const EmbedOptions& options, const OpenStudy* study);

// What a study has of spectra: those of the group with the most.
struct KeptSpectra {
  std::string group = {};
  std::vector<StudyFeatures> features = {};
};
// Throws Error (kUsage) where there are none.
KeptSpectra kept_spectra(Store& store, const std::string& place);

}  // namespace actforge::tool
