#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "actforge/base/option_field.h"

namespace actforge {

// Whose labels the gradients are of.
enum class FisherLabels : std::uint8_t {
  kModel,  // one per sample, drawn from what the network predicts: an unbiased sample of the true Fisher information
  kData,   // those of the data: the empirical Fisher information
  kEvery,  // every class, weighted by its predicted probability: the true one, in as many passages as there are classes
};

// How spectra are measured. What each field means stands once, in the table of fisher_options.cpp.
struct FisherOptions {
  std::uint64_t batch = 128;
  std::uint64_t batches = 1;
  std::uint64_t draws = 1;
  std::string labels = "model";
  std::string init = "autoinit";

  FisherLabels label_kind() const;
};

using FisherField = OptionField<FisherOptions>;
std::span<const FisherField> fisher_fields();

}  // namespace actforge
