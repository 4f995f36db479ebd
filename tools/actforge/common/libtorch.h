#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actforge/search/evaluators/feature_probe.h"
#include "actforge/search/settings/study_evaluator.h"
#include "actforge/torch/train/signal_check.h"

namespace actforge {
struct OpenStudy;
class SpectrumProbe;
}  // namespace actforge

// LibTorch takes half a second to load, so there are two programs: `actforge` without it, and `actforge-torch`. Both
// know every verb and its options. A verb says whether what it was asked needs LibTorch (VerbAction::needs_libtorch);
// if so, main() becomes the other program before anything is run.
namespace actforge::tool {

struct TrainCommand;
struct FisherCommand;
struct EmbedOptions;

// What only the program with LibTorch can do.
struct LibTorch {
  int (*train)(const TrainCommand& command);
  int (*fisher)(const FisherCommand& command);
  std::span<const EvaluatorFactory> evaluators;
  std::unique_ptr<FeatureProbe> (*make_feature_probe)(const StudySettings& settings, const RunContext& run);
  std::unique_ptr<SpectrumProbe> (*make_spectrum_probe)(const EmbedOptions& options, const OpenStudy* study,
                                                        const RunContext& run);
  decltype(&actforge::measure_signals) measure_signals;
  decltype(&actforge::weights_by_samples) weights_by_samples;
};

// Throws Error (kFailed) in the program without it: a verb has not said that it needs it.
const LibTorch& libtorch();
// Null: there is none. Called once, by main().
void set_libtorch(const LibTorch* libtorch);

// Becomes the program with LibTorch, if this is not it. Throws Error (kFailed) where there is none.
void become_torch_program(char** arguments);

}  // namespace actforge::tool
