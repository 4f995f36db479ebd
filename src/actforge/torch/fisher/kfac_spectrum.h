#pragma once

#include "actforge/torch/fisher/kfac.h"

namespace actforge {

// The spectrum of a model with the weights it has, on one batch.
FisherSpectrum kfac_spectrum(Model& model, const KfacBatch& batch);

// The same of factors that are there already.
FisherSpectrum spectrum_of_factors(const Network& network, const KfacAnswer& answer);

// The length of fisher_features() for this network; what it leaves out is added to `skipped`.
std::size_t fisher_feature_count(const Network& network, std::vector<SkippedLayer>* skipped = nullptr);

}  // namespace actforge
