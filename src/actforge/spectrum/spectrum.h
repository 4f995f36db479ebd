#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace actforge {

// Natural logarithms of the eigenvalues of one Kronecker factor.
struct LogEigenvalues {
  std::vector<double> values = {};  // rising
  std::int64_t rank = 0;            // how many are more than rounding; the others are put at the resolution
};

// Eigenvalues below this share of the largest cannot be told from rounding: activations and gradients have 24 bits,
// sums 53. They count as this share, so that a factor without full rank has a spectrum, and one that nearly lacks it
// has nearly the same. (On a share of zero the logarithm would jump to minus infinity.)
inline constexpr double kEigenvalueResolution = 1e-12;

// Of a factor without any eigenvalue above zero there are no values.
LogEigenvalues log_eigenvalues(std::span<const double> eigenvalues);

// Histograms reach from -100 to 100, as in the dissertation.
inline constexpr double kLeastLog = -100, kMostLog = 100;

// One layer's block of the Fisher information matrix, Ω ⊗ Γ.
struct LayerSpectrum {
  std::string name = {};
  std::int64_t weights = 0;  // and eigenvalues
  std::int64_t omega = 0;    // rows of Ω, from what comes in
  std::int64_t gamma = 0;    // rows of Γ, from the gradients of what goes out
  double omega_rank = 0;     // means over repeats
  double gamma_rank = 0;
  double min_log = 0, max_log = 0;  // eigenvalues, over all repeats
  double median_log = 0;            // to a tenth; mean over repeats
  std::vector<float> cdf = {};      // share of the eigenvalues up to the end of each of ⌊weights/100⌋ bins
  double spread = 0;                // mean 1-Wasserstein distance of a single repeat from `cdf`; 0 of one repeat

  double bin_width() const { return (kMostLog - kLeastLog) / static_cast<double>(cdf.size()); }
};

struct SkippedLayer {
  std::string name = {};
  std::string why = {};
};

// The spectrum of a network at its beginning: what the dissertation takes as features of an activation function.
struct FisherSpectrum {
  std::vector<LayerSpectrum> layers = {};
  bool valid = true;
  std::string reason = {};  // why not
  std::vector<SkippedLayer> skipped = {};
  std::vector<float> network = {};  // how many of all eigenvalues are in each of kNetworkBins bins, for pictures
  std::int64_t repeats = 0;         // that `layers` are the means of
  double noise = 0;                 // mean distance of a single repeat from the means; 0 of one repeat
  double seconds = 0;
};
inline constexpr std::size_t kNetworkBins = 2000;

// Counts all sums a + b of the two lists in equal bins from -100 to 100, without holding them. What is below is in the
// first bin, what is above in the last.
std::vector<std::int64_t> count_sums(std::span<const double> a, std::span<const double> b, std::size_t bins);

// Shares of all counts up to each bin.
std::vector<float> cumulative(std::span<const std::int64_t> counts);

// The 1-Wasserstein distance of two distributions over the same bins: the area between the cumulative distributions.
double wasserstein(std::span<const float> a, std::span<const float> b, double bin_width);

// Σ_l W₁(μ_l, ν_l) / w_l, where μ_l counts the eigenvalues of a layer with w_l weights: how far its eigenvalues lie
// apart on average, summed over layers. Throws Error (kFailed) where the layers differ or a spectrum is not valid.
double fisher_distance(const FisherSpectrum& a, const FisherSpectrum& b);

// One vector for the network: the cumulative distributions one after the other, each times the width of its bins, so
// that the Manhattan distance of two vectors is fisher_distance().
std::vector<float> fisher_features(const FisherSpectrum& spectrum);

// The means of spectra of one network, and how they differ. Where any is invalid, so is the answer, with the first
// reason.
FisherSpectrum average_spectra(std::span<const FisherSpectrum> repeats);

}  // namespace actforge
