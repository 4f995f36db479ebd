#pragma once

#include <optional>
#include <string>

#include "actforge/base/run_context.h"
#include "actforge/study/mapped_functions.h"
#include "actforge/study/spectrum_probe.h"

namespace actforge {

// Which functions are put on a map, and what they are known by.
struct EmbeddingOptions {
  const Space* space = nullptr;
  std::string space_text = {};              // as a study's settings would have it
  std::optional<std::uint64_t> count = {};  // so many of the space, at random; nothing: all that differ
  bool by_outputs = true, by_spectra = false;
  OutputOptions outputs = {};
  MapOptions map = {};
  // Its trials are on the map too. Null: none.
  const OpenStudy* study = nullptr;
  std::string study_location = {};
  // Null: spectra are those that the study has.
  SpectrumProbe* probe = nullptr;
  std::string spectra_of = "the study's network";  // for the title
};

// A map and how it came about.
struct Embedding {
  MappedFunctions mapped = {};
  std::string space = {}, features = {};      // the name of the space; "outputs and spectra of ..."
  std::string conditions = {};                // of spectra that the study has
  Integer total = 0;                          // functions of the space
  std::optional<std::uint64_t> unique = {};   // of these, where that is known
  std::size_t from_space = 0, functions = 0;  // taken from the space; and with all others
  std::size_t no_outputs = 0, no_spectra = 0, twins = 0;
  std::size_t elsewhere = 0;  // left out since another process is measuring their spectra

  // "12 without a valid spectrum, 3 with infinite or undefined outputs"
  std::string left_out_text() const;
};

// A map of functions where those that are alike are near. Steps are "functions", "spectra", "outputs", "neighbours" and
// "layout". Seed and threads are the context's. Throws Error.
Embedding embed(const EmbeddingOptions& options, const RunContext& context);

}  // namespace actforge
