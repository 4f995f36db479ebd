#pragma once

#include <memory>

#include "actforge/net/graph/network.h"
#include "actforge/spectrum/spectrum_task.h"
#include "actforge/study/spectrum_probe.h"
#include "actforge/study/study.h"

namespace actforge {

// Spectra for a map of functions (EmbeddingOptions::probe). Both are cancelled by their own run context, and report
// progress as "spectra".

// Of a network with each function in all its activations; nothing is kept. Throws Error where files are missing.
std::unique_ptr<SpectrumProbe> make_network_spectrum_probe(const Network& network, const SpectrumTask& task);

// Under the conditions of a study, which outlives the probe and keeps the spectra: what it has is not measured again.
// See FisherFeatures. Throws Error where the study does not train.
std::unique_ptr<SpectrumProbe> make_study_spectrum_probe(const OpenStudy& study, const FisherOptions& options,
                                                         const RunContext& run = {.threads = 0});

}  // namespace actforge
