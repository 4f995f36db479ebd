#pragma once

#include "actforge/study/spectrum_probe.h"
#include "actforge/study/study.h"
#include "tools/actforge/embed/options.h"
#include "tools/actforge/fisher/command.h"
#include "tools/actforge/train/command.h"

// What verbs do with LibTorch, for the table LibTorch.
namespace actforge::tool {

int run_train(const TrainCommand& command);
int run_fisher(const FisherCommand& command);
// Spectra that are measured for a study are kept there.
std::unique_ptr<SpectrumProbe> make_spectrum_probe(const EmbedOptions& options, const OpenStudy* study,
                                                   const RunContext& run);

}  // namespace actforge::tool
