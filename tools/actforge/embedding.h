#pragma once

#include <map>
#include <memory>

#include "actforge/embed_answer.h"
#include "actforge/embed_spectra.h"
#include "actforge/search/function_set.h"
#include "actforge/step_clock.h"

namespace actforge::tool {

// The work of `actforge embed`: functions, their features, their places, files.
class Embedding {
 public:
  // Opens the study, and what measures spectra. Throws Error.
  explicit Embedding(const EmbedOptions& options);

  // All steps. Throws Stopped, or Error.
  void make();

  // What came of it, in words and in JSON.
  void print() const;
  nlohmann::json json() const;

  const StepClock& clock() const { return clock_; }

 private:
  void collect_functions();
  void add_space(FunctionSet& set, const Space& space);
  void add_kept(FunctionSet& set);
  void add_trials(FunctionSet& set, const Space& space);
  void collect_spectra();
  std::vector<SpectrumFeatures> measured();
  std::vector<SpectrumFeatures> kept() const;
  void collect_outputs();
  void place();
  MapOptions map_options();
  std::string features_text() const;
  std::string left_out_text() const;

  EmbedOptions options_;
  StepClock clock_;
  std::optional<OpenStudy> study_;
  std::unique_ptr<SpectrumMeter> meter_;
  std::map<std::string, SpectrumFeatures> kept_values_;  // of the study, by the key of the canonical form

  std::string space_name_, conditions_;  // the latter of spectra that the study has
  Integer total_ = 0;
  std::optional<std::uint64_t> unique_;
  std::size_t from_space_ = 0, functions_ = 0, no_outputs_ = 0, no_spectra_ = 0, twins_ = 0;
  Points outputs_, spectra_;
  EmbedAnswer answer_;
};

}  // namespace actforge::tool
