#pragma once

#include <optional>
#include <string>

#include "actforge/base/run_context.h"
#include "actforge/data/dataset.h"
#include "actforge/spectrum/fisher_options.h"

namespace actforge {

// What spectra are measured on.
struct SpectrumTask {
  const Dataset* dataset = nullptr;
  FisherOptions options = {};
  std::string normalise = "standard";
  std::optional<std::size_t> subset = {};      // training images, balanced; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  RunContext run = {.threads = 0};             // the seed is that of split, weights, batches, labels, dropout
};

}  // namespace actforge
