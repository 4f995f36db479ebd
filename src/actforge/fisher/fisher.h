#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "actforge/data/dataset.h"
#include "actforge/fisher/fisher_options.h"
#include "actforge/fisher/spectrum.h"
#include "actforge/net/network.h"

namespace actforge {

// What spectra are measured on.
struct FisherRun {
  const Dataset* dataset = nullptr;
  FisherOptions options = {};
  std::string normalise = "standard";
  std::optional<std::size_t> subset = {};      // training images, balanced; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  std::uint64_t seed = 0;                      // of the split, the weights, the batches, the labels, dropout
  std::size_t threads = 0;                     // 0: one per processor
};

// Called after each function, by any thread but one at a time; to stop, it returns false.
using FisherObserver = std::function<bool(std::size_t number, const FisherSpectrum& spectrum)>;

// Holds the data, so that many functions can be measured on the same images. Only training images are looked at.
class FisherProbe {
 public:
  // Throws Error where files are missing, or there are fewer training images than batches need.
  explicit FisherProbe(const FisherRun& run);
  ~FisherProbe();
  FisherProbe(FisherProbe&&) noexcept;

  // The spectrum of a network at its beginning. What is undefined, explodes or vanishes makes it invalid, which is a
  // result. The same seed gives the same answer, but for rounding, whatever the number of threads. Throws Error
  // (kBadInput) where the network does not fit the data.
  FisherSpectrum measure(const Network& network) const;

  // The network with each function in all its activations, each function by a thread of its own: all processors are
  // busy, and memory grows with their number.
  std::vector<FisherSpectrum> measure_all(const Network& network, std::span<const Expr> functions,
                                          const FisherObserver& observer = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace actforge
