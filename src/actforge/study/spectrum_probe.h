#pragma once

#include <span>
#include <string>
#include <vector>

#include "actforge/expr/language/expr.h"
#include "actforge/store/store.h"

namespace actforge {

// A function's spectrum as features; without numbers where there is none that is valid.
using SpectrumFeatures = std::vector<float>;

struct MeasuredSpectra {
  std::vector<SpectrumFeatures> features = {};  // one for each function
  std::size_t elsewhere = 0;                    // of those without numbers: another process is measuring them
};

// Measures spectra for a map.
class SpectrumProbe {
 public:
  virtual ~SpectrumProbe() = default;
  // Throws Error, also kCancelled.
  virtual MeasuredSpectra measure(std::span<const Expr> functions) = 0;
};

// What a study has of spectra: those of the group with the most.
struct KeptSpectra {
  std::string group = {};
  std::vector<StudyFeatures> features = {};
};
// Throws Error (kUsage) where there are none.
KeptSpectra kept_spectra(Store& store, const std::string& location);

}  // namespace actforge
