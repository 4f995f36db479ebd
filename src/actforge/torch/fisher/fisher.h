#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "actforge/net/graph/network.h"
#include "actforge/spectrum/spectrum.h"
#include "actforge/spectrum/spectrum_task.h"

namespace actforge {

// What is called for each function, by any thread but one at a time.
struct FisherObserver {
  // Before it is measured; false: it is left out, and its spectrum is empty.
  std::function<bool(std::size_t number)> begin = {};
  std::function<void(std::size_t number, const FisherSpectrum& spectrum)> end = {};
  // Measuring it throws this, and so will measure_all().
  std::function<void(std::size_t number, const std::exception& error)> failed = {};
};

// Holds the data, so that many functions can be measured on the same images. Only training images are used.
class FisherProbe {
 public:
  // Throws Error where files are missing, or there are fewer training images than batches need.
  explicit FisherProbe(const SpectrumTask& task);
  ~FisherProbe();
  FisherProbe(FisherProbe&&) noexcept;

  // The spectrum of a network at its initial weights. If something is undefined, explodes or vanishes it is invalid,
  // which is a result. The same seed gives the same answer, but for rounding, whatever the number of threads. Throws
  // Error (kBadInput) where the network does not fit the data, kCancelled where the task's run is told to stop, which
  // it asks before every batch.
  FisherSpectrum measure(const Network& network) const;

  // The network with each function in all its activations, each function by a thread of its own: all processors are
  // busy, and memory grows with their number. Progress is called "spectra". Throws as measure() does, for
  // the first function that fails; those that other threads have begun are measured to their end, and the observer has
  // seen what was measured until then.
  std::vector<FisherSpectrum> measure_all(const Network& network, std::span<const Expr> functions,
                                          const FisherObserver& observer = {}) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace actforge
