// The program with LibTorch.
#include "actforge/torch/fisher/fisher_features.h"
#include "actforge/torch/train/train_evaluator.h"
#include "tools/actforge/main.h"
#include "tools/actforge/torch/verbs.h"

int main(int argc, char** argv) {
  using namespace actforge;
  static constexpr EvaluatorFactory kEvaluators[] = {{"train", make_train_evaluator}};
  constexpr tool::LibTorch kLibTorch = {.train = tool::run_train,
                                        .fisher = tool::run_fisher,
                                        .evaluators = kEvaluators,
                                        .make_feature_probe = actforge::make_spectrum_probe,
                                        .make_spectrum_probe = tool::make_spectrum_probe,
                                        .measure_signals = measure_signals,
                                        .weights_by_samples = weights_by_samples};
  return tool::run_program(argc, argv, &kLibTorch);
}
